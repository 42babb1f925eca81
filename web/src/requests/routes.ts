/** Addresses of requests for access. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../app/inside";

const requests = createRoute({
  getParentRoute: () => inside,
  path: "/requests",
  validateSearch: (search: Record<string, unknown>): { which?: "mine" | "waiting" } => ({
    which: search.which === "waiting" ? "waiting" : undefined,
  }),
  component: lazyRouteComponent(() => import("./Requests"), "Requests"),
});

const request = createRoute({
  getParentRoute: () => inside,
  path: "/requests/$requestId",
  component: lazyRouteComponent(() => import("./RequestPage"), "RequestPage"),
});

export const requestsRoutes = [requests, request] as const;
