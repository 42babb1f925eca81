/** The address of the home page. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../app/inside";

const home = createRoute({
  getParentRoute: () => inside,
  path: "/",
  component: lazyRouteComponent(() => import("./Home"), "Home"),
});

export const homeRoutes = [home] as const;
