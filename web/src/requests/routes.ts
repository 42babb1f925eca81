/** Addresses of requests for access. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside, listed, oneOf, word } from "../app/inside";
import type { Narrowed } from "../components/narrowing";
import { KINDS, type Kind, STATES, type State } from "./words";

export interface Looked extends Narrowed {
  state?: State;
  which?: "mine" | "waiting";
  /** The name of what one would like to ask for: the form is open, and filled in; empty, to be filled in. */
  ask?: string;
  kind?: Kind;
}

const requests = createRoute({
  getParentRoute: () => inside,
  path: "/requests",
  validateSearch: (search: Record<string, unknown>): Looked => ({
    which: search.which === "waiting" ? "waiting" : undefined,
    ask: search.ask === "" ? "" : word(search.ask),
    kind: oneOf(KINDS, search.kind),
    ...listed(search),
    state: oneOf(STATES, search.state),
  }),
  component: lazyRouteComponent(() => import("./Requests"), "Requests"),
});

const request = createRoute({
  getParentRoute: () => inside,
  path: "/requests/$requestId",
  component: lazyRouteComponent(() => import("./RequestPage"), "RequestPage"),
});

export const requestsRoutes = [requests, request] as const;
