/** Addresses of runs and of what starts them. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { anId, inside, word } from "../app/inside";
import { STATES, type State } from "./State";

export interface RunsNarrowed {
  state?: State[];
  mine?: boolean;
  /** Also what was asked on the way to something else. */
  looks?: boolean;
  kind?: string;
  subject?: string;
  trigger?: string;
}

const runs = createRoute({
  getParentRoute: () => inside,
  path: "/runs",
  validateSearch: (search: Record<string, unknown>): RunsNarrowed => ({
    state: Array.isArray(search.state) ? search.state.filter((one): one is State => STATES.includes(one)) : undefined,
    mine: search.mine === true || undefined,
    looks: search.looks === true || undefined,
    kind: word(search.kind),
    subject: anId(search.subject),
    trigger: anId(search.trigger),
  }),
  component: lazyRouteComponent(() => import("./Runs"), "Runs"),
});

const run = createRoute({
  getParentRoute: () => inside,
  path: "/runs/$runId",
  component: lazyRouteComponent(() => import("./RunPage"), "RunPage"),
});

const triggers = createRoute({
  getParentRoute: () => inside,
  path: "/triggers",
  component: lazyRouteComponent(() => import("./triggers/Triggers"), "Triggers"),
});

export const runsRoutes = [runs, run, triggers] as const;
