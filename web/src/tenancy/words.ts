/** The words for people: their roles, where they stand, and what each means. */
import type { Schemas } from "../api/client";
import { BY_NAME } from "../components/sorting";

export type Member = Schemas["MemberOut"];
export type MemberDetail = Schemas["MemberDetailOut"];
export type TenantRole = Member["tenant_role"];
export type SecurityRole = Member["security_roles"][number];
export type State = Member["state"];

export const TENANT_ROLES: readonly TenantRole[] = ["none", "viewer", "editor", "admin", "owner"];
export const STATES: readonly State[] = ["active", "invited", "waiting", "suspended", "removed"];

/** The orders that the directory knows. */
export const MEMBER_ORDERS = [...BY_NAME, "joined", "-joined"] as const;
export type MemberOrder = (typeof MEMBER_ORDERS)[number];

/** What a tenant role means, in a line. */
export const ROLE_MEANS: Record<TenantRole, string> = {
  none: "What they were granted, and nothing by role.",
  viewer: "Business User in every project.",
  editor: "Technical User in every project.",
  admin: "Admin in every project; people, groups, settings and all data.",
  owner: "All that admins may; makes owners, and manages billing.",
};

export const SECURITY_ROLES: readonly { value: SecurityRole; means: string }[] = [
  { value: "data admin", means: "Looks after all data spaces without being in them." },
  { value: "data space creator", means: "Makes data spaces." },
];

/** The tenant roles that somebody may hand out; only owners make and unmake owners. */
export function rolesToGive(mayMakeOwners: boolean, has?: TenantRole): TenantRole[] {
  return TENANT_ROLES.filter((role) => role !== "owner" || mayMakeOwners || has === "owner");
}

/** Whether two sets of words are the same, in whatever order. */
export function sameWords(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((word) => others.includes(word));
}
