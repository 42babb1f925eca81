/** Addresses of requests for access. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside, oneOf, type Searched, searched, word } from "../app/inside";
import { BY_AGE, type ByAge } from "../components/sorting";
import { KINDS, type Kind, STATES, type State } from "./words";

export interface Looked extends Searched {
  sort?: ByAge;
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
    ...searched(search),
    sort: oneOf(BY_AGE, search.sort),
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
