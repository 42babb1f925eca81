/** Addresses of projects. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside, listed, oneOf } from "../app/inside";
import type { Narrowed } from "../components/narrowing";
import { CHANNELS } from "../tenancy/notifications/source";
import { ROLES, type Role } from "./words";

const projects = createRoute({
  getParentRoute: () => inside,
  path: "/projects",
  validateSearch: listed,
  component: lazyRouteComponent(() => import("./Projects"), "Projects"),
});

const PARTS = ["members", "groups", "settings", "notifications"] as const;

interface Shown extends Narrowed {
  part?: (typeof PARTS)[number];
  role?: Role;
}

const project = createRoute({
  getParentRoute: () => inside,
  path: "/projects/$projectId",
  validateSearch: (search: Record<string, unknown>): Shown => ({
    ...listed(search),
    part: oneOf(PARTS, search.part),
    role: oneOf(ROLES, search.role),
    of: oneOf(CHANNELS, search.of),
  }),
  component: lazyRouteComponent(() => import("./ProjectPage"), "ProjectPage"),
});

export const projectsRoutes = [projects, project] as const;
