/** Addresses of runs and of what starts them. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { anId, inside, oneOf, type Searched, searched, word } from "../app/inside";
import { RUN_ORDERS, type RunOrder, TRIGGER_ORDERS, type TriggerOrder } from "./orders";
import { STATES, type State } from "./State";

export interface RunsNarrowed extends Searched {
  state?: State[];
  mine?: boolean;
  /** Also what was asked on the way to something else. */
  looks?: boolean;
  kind?: string;
  subject?: string;
  trigger?: string;
  sort?: RunOrder;
}

export interface TriggersNarrowed extends Searched {
  kind?: TriggerKind;
  paused?: boolean;
  sort?: TriggerOrder;
}

const TRIGGER_KINDS = ["cron", "after"] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

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
    ...searched(search),
    sort: oneOf(RUN_ORDERS, search.sort),
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
  validateSearch: (search: Record<string, unknown>): TriggersNarrowed => ({
    kind: oneOf(TRIGGER_KINDS, search.kind),
    paused: typeof search.paused === "boolean" ? search.paused : undefined,
    ...searched(search),
    sort: oneOf(TRIGGER_ORDERS, search.sort),
  }),
  component: lazyRouteComponent(() => import("./triggers/Triggers"), "Triggers"),
});

export const runsRoutes = [runs, run, triggers] as const;
