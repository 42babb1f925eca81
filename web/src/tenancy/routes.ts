/** Addresses of people: coming in, the directory, groups, the tenant's settings, one's own account. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside, listed, oneOf, root } from "../app/inside";
import { ours } from "../app/ours";
import type { Narrowed } from "../components/narrowing";
import { CHANNELS } from "./notifications/source";
import { STATES, type State, TENANT_ROLES, type TenantRole } from "./words";

interface Whither {
  to?: string;
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>): Whither => ({
    to: ours(search.to),
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

interface MembersNarrowed extends Narrowed {
  state?: State;
  role?: TenantRole;
}

const members = createRoute({
  getParentRoute: () => inside,
  path: "/members",
  validateSearch: (search: Record<string, unknown>): MembersNarrowed => ({
    ...listed(search),
    state: oneOf(STATES, search.state),
    role: oneOf(TENANT_ROLES, search.role),
  }),
  component: lazyRouteComponent(() => import("./members/Members"), "Members"),
});

const MEMBER_PARTS = ["roles", "projects", "tokens"] as const;

const member = createRoute({
  getParentRoute: () => inside,
  path: "/members/$memberId",
  validateSearch: (search: Record<string, unknown>): Narrowed & { part?: (typeof MEMBER_PARTS)[number] } => ({
    part: oneOf(MEMBER_PARTS, search.part),
    ...listed(search),
  }),
  component: lazyRouteComponent(() => import("./members/MemberPage"), "MemberPage"),
});

const groups = createRoute({
  getParentRoute: () => inside,
  path: "/groups",
  validateSearch: listed,
  component: lazyRouteComponent(() => import("./groups/Groups"), "Groups"),
});

const GROUP_PARTS = ["members", "grants"] as const;

const group = createRoute({
  getParentRoute: () => inside,
  path: "/groups/$groupId",
  validateSearch: (search: Record<string, unknown>): Narrowed & { part?: (typeof GROUP_PARTS)[number] } => ({
    part: oneOf(GROUP_PARTS, search.part),
    ...listed(search),
  }),
  component: lazyRouteComponent(() => import("./groups/GroupPage"), "GroupPage"),
});

const SETTINGS_PARTS = ["general", "plan", "notifications"] as const;

const settings = createRoute({
  getParentRoute: () => inside,
  path: "/settings",
  validateSearch: (search: Record<string, unknown>): Narrowed & { part?: (typeof SETTINGS_PARTS)[number] } => ({
    part: oneOf(SETTINGS_PARTS, search.part),
    of: oneOf(CHANNELS, search.of),
    ...listed(search),
  }),
  component: lazyRouteComponent(() => import("./settings/SettingsPage"), "SettingsPage"),
});

const PARTS = ["profile", "password", "sessions", "tokens"] as const;

const account = createRoute({
  getParentRoute: () => inside,
  path: "/account",
  validateSearch: (search: Record<string, unknown>): Narrowed & { part?: (typeof PARTS)[number] } => ({
    part: oneOf(PARTS, search.part),
    ...listed(search),
  }),
  component: lazyRouteComponent(() => import("./Account"), "Account"),
});

export const entranceRoutes = [signIn, join, resetPassword] as const;
export const tenancyRoutes = [members, member, groups, group, settings, account] as const;
