/** Addresses of sources. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside, listed } from "../../app/inside";
import { parted } from "../pipelines/parted";

const sources = createRoute({
  getParentRoute: () => inside,
  path: "/sources",
  validateSearch: listed,
  component: lazyRouteComponent(() => import("./Sources"), "Sources"),
});

const add = createRoute({
  getParentRoute: () => inside,
  path: "/sources/new",
  component: lazyRouteComponent(() => import("./NewSource"), "NewSource"),
});

const source = createRoute({
  getParentRoute: () => inside,
  path: "/sources/$pipelineId",
  validateSearch: parted,
  component: lazyRouteComponent(() => import("./SourcePage"), "SourcePage"),
});

export const sourcesRoutes = [sources, add, source] as const;
