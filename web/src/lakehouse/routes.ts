/** Addresses of the lakehouse. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside, type Searched, searched, word } from "../app/inside";

const layers = createRoute({
  getParentRoute: () => inside,
  path: "/layers",
  validateSearch: searched,
  component: lazyRouteComponent(() => import("./Layers"), "Layers"),
});

const tables = createRoute({
  getParentRoute: () => inside,
  path: "/tables",
  validateSearch: (search: Record<string, unknown>): Searched & { layer?: string } => ({
    ...searched(search),
    layer: word(search.layer),
  }),
  component: lazyRouteComponent(() => import("./Tables"), "Tables"),
});

const table = createRoute({
  getParentRoute: () => inside,
  path: "/tables/$tableId",
  component: lazyRouteComponent(() => import("./TablePage"), "TablePage"),
});

export const lakehouseRoutes = [layers, tables, table] as const;
