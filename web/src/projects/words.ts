/** The words for projects: roles, where each comes from, and until when. */
import type { Schemas } from "../api/client";

export type Project = Schemas["ProjectOut"];
export type ProjectMember = Schemas["ProjectMemberOut"];
export type GroupGrant = Schemas["GroupGrantOut"];
export type Origin = Schemas["OriginOut"];
export type Role = NonNullable<Project["role"]>;

export const ROLES: readonly Role[] = ["Business User", "Technical User", "Admin"];

/** What a role means, in a line. */
export const ROLE_MEANS: Record<Role, string> = {
  "Business User": "Sees the project and its members, makes reports.",
  "Technical User": "Builds: sources, data marts, storages; sees the settings.",
  Admin: "All of it: members' roles, settings, workflows, deleting.",
};

/** The roles that somebody with these actions may invite with. */
export function rolesToInvite(actions: readonly string[]): Role[] {
  return ROLES.filter((role) => actions.includes(`invite_${role.toLowerCase().replaceAll(" ", "_")}`));
}

/** Where a role comes from: “inherited from the tenant role”, “granted directly”, “through the group Finance”. */
export function whence(origin: Pick<Origin, "source" | "group">): string {
  if (origin.source === "tenant role") return "inherited from the tenant role";
  if (origin.source === "grant") return "granted directly";
  return origin.group ? `through the group ${origin.group.name}` : "through a group";
}

/** What a grant is called in a what-if question: given to who has none of their own, changed otherwise. */
export function grantOrChange(has: Role | null): "grant_project_role" | "change_project_role" {
  return has ? "change_project_role" : "grant_project_role";
}
