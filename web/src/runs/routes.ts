/** Addresses of runs and of what starts them. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { anId, inside, listed, oneOf, someOf, word } from "../app/inside";
import type { Narrowed } from "../components/narrowing";
import { STATES, type State } from "./State";

export interface RunsNarrowed extends Narrowed {
  state?: State[];
  mine?: boolean;
  /** Also what was asked on the way to something else. */
  looks?: boolean;
  kind?: string;
  subject?: string;
  trigger?: string;
}

export interface TriggersNarrowed extends Narrowed {
  kind?: TriggerKind;
  paused?: boolean;
}

const TRIGGER_KINDS = ["cron", "after"] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];

const runs = createRoute({
  getParentRoute: () => inside,
  path: "/runs",
  validateSearch: (search: Record<string, unknown>): RunsNarrowed => ({
    state: someOf(STATES, search.state),
    mine: search.mine === true || undefined,
    looks: search.looks === true || undefined,
    kind: word(search.kind),
    subject: anId(search.subject),
    trigger: anId(search.trigger),
    ...listed(search),
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
    ...listed(search),
  }),
  component: lazyRouteComponent(() => import("./triggers/Triggers"), "Triggers"),
});

export const runsRoutes = [runs, run, triggers] as const;
