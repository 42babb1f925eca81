/** Addresses of people: coming in, the directory, one's own account. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside, oneOf, root, searched } from "../app/inside";

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
  component: lazyRouteComponent(() => import("./SignIn"), "SignIn"),
});

const join = createRoute({
  getParentRoute: () => root,
  path: "/join",
  component: lazyRouteComponent(() => import("./ByLink"), "Join"),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  component: lazyRouteComponent(() => import("./ByLink"), "ResetPassword"),
});

const members = createRoute({
  getParentRoute: () => inside,
  path: "/members",
  validateSearch: searched,
  component: lazyRouteComponent(() => import("./Members"), "Members"),
});

const PARTS = ["profile", "password", "sessions", "tokens"] as const;

const account = createRoute({
  getParentRoute: () => inside,
  path: "/account",
  validateSearch: (search: Record<string, unknown>): { part?: (typeof PARTS)[number] } => ({
    part: oneOf(PARTS, search.part),
  }),
  component: lazyRouteComponent(() => import("./Account"), "Account"),
});

export const entranceRoutes = [signIn, join, resetPassword] as const;
export const tenancyRoutes = [members, account] as const;
