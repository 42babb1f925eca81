/** Every address of the app. A page's code is fetched when somebody goes there. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { Problem, type Schemas } from "../api/client";
import { queryClient } from "../api/queries";
import { STATES } from "../runs/State";
import { meQuery } from "../tenancy/session";
import { NotFound, Trouble } from "./Trouble";

type RunState = Schemas["RunState"];

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: Trouble });

interface Whither {
  to?: string;
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): Whither => ({
    // Only a page of ours: an address elsewhere would make this one a signpost for strangers.
    to: typeof search.to === "string" && /^\/(?![/\\])/.test(search.to) ? search.to : undefined,
  }),
  component: lazyRouteComponent(() => import("../tenancy/SignIn"), "SignIn"),
});

const join = createRoute({
  getParentRoute: () => root,
  path: "/join",
  component: lazyRouteComponent(() => import("../tenancy/ByLink"), "Join"),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  component: lazyRouteComponent(() => import("../tenancy/ByLink"), "ResetPassword"),
});

const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(meQuery);
    } catch (problem) {
      if (problem instanceof Problem && problem.status === 401) {
        throw redirect({ to: "/sign-in", search: { to: location.href } });
      }
      throw problem;
    }
  },
  component: lazyRouteComponent(() => import("./Shell"), "Shell"),
});

const home = createRoute({
  getParentRoute: () => inside,
  path: "/",
  component: lazyRouteComponent(() => import("../home/Home"), "Home"),
});

interface Searched {
  search?: string;
}

const searched = (search: Record<string, unknown>): Searched => ({
  search: typeof search.search === "string" && search.search !== "" ? search.search : undefined,
});

const layers = createRoute({
  getParentRoute: () => inside,
  path: "/layers",
  validateSearch: searched,
  component: lazyRouteComponent(() => import("../lakehouse/Layers"), "Layers"),
});

const tables = createRoute({
  getParentRoute: () => inside,
  path: "/tables",
  validateSearch: (search: Record<string, unknown>) => ({
    ...searched(search),
    layer: typeof search.layer === "string" ? search.layer : undefined,
  }),
  component: lazyRouteComponent(() => import("../lakehouse/Tables"), "Tables"),
});

const table = createRoute({
  getParentRoute: () => inside,
  path: "/tables/$tableId",
  component: lazyRouteComponent(() => import("../lakehouse/TablePage"), "TablePage"),
});

const members = createRoute({
  getParentRoute: () => inside,
  path: "/members",
  validateSearch: searched,
  component: lazyRouteComponent(() => import("../tenancy/Members"), "Members"),
});

const runs = createRoute({
  getParentRoute: () => inside,
  path: "/runs",
  validateSearch: (search: Record<string, unknown>): { state?: RunState[]; mine?: boolean } => ({
    state: Array.isArray(search.state)
      ? search.state.filter((one): one is RunState => STATES.includes(one))
      : undefined,
    mine: search.mine === true || undefined,
  }),
  component: lazyRouteComponent(() => import("../runs/Runs"), "Runs"),
});

const run = createRoute({
  getParentRoute: () => inside,
  path: "/runs/$runId",
  component: lazyRouteComponent(() => import("../runs/RunPage"), "RunPage"),
});

const PARTS = ["profile", "password", "sessions", "tokens"] as const;
type Part = (typeof PARTS)[number];

const account = createRoute({
  getParentRoute: () => inside,
  path: "/account",
  validateSearch: (search: Record<string, unknown>): { part?: Part } => ({
    part: PARTS.find((part) => part === search.part),
  }),
  component: lazyRouteComponent(() => import("../tenancy/Account"), "Account"),
});

const requests = createRoute({
  getParentRoute: () => inside,
  path: "/requests",
  validateSearch: (search: Record<string, unknown>): { which?: "mine" | "waiting" } => ({
    which: search.which === "waiting" ? "waiting" : undefined,
  }),
  component: lazyRouteComponent(() => import("../requests/Requests"), "Requests"),
});

const request = createRoute({
  getParentRoute: () => inside,
  path: "/requests/$requestId",
  component: lazyRouteComponent(() => import("../requests/RequestPage"), "RequestPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    join,
    resetPassword,
    inside.addChildren([home, layers, tables, table, runs, run, members, requests, request, account]),
  ]),
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
