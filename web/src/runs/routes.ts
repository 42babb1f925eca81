/** Addresses of runs. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside } from "../app/inside";
import { STATES, type State } from "./State";

const runs = createRoute({
  getParentRoute: () => inside,
  path: "/runs",
  validateSearch: (search: Record<string, unknown>): { state?: State[]; mine?: boolean } => ({
    state: Array.isArray(search.state) ? search.state.filter((one): one is State => STATES.includes(one)) : undefined,
    mine: search.mine === true || undefined,
  }),
  component: lazyRouteComponent(() => import("./Runs"), "Runs"),
});

const run = createRoute({
  getParentRoute: () => inside,
  path: "/runs/$runId",
  component: lazyRouteComponent(() => import("./RunPage"), "RunPage"),
});

export const runsRoutes = [runs, run] as const;
