/** What a project is called among the answers that are kept, and giving and taking roles in it. */
import { api, take } from "../api/client";
import type { GroupGrant, Project, ProjectMember, Role } from "./words";

export const projectKey = (id: string) => ["projects", id] as const;

interface Granted {
  role?: Role | null;
  expires_at?: string | null;
}

const ifMatch = (version: number | null | undefined) =>
  version === null || version === undefined ? {} : { header: { "If-Match": `"${version}"` } };

/** Another role, or another end, for who has one here. */
export function changeRole(project: Project, member: { id: string; version: number | null }, body: Granted) {
  const path = { project_id: project.id, member_id: member.id };
  const params = { path, ...ifMatch(member.version) };
  return take(api.PATCH("/api/v1/projects/{project_id}/members/{member_id}", { params, body }));
}

/** What was granted to somebody here. */
export function takeRole(project: Project, member: { id: string; version: number | null }) {
  const path = { project_id: project.id, member_id: member.id };
  const params = { path, ...ifMatch(member.version) };
  return take(api.DELETE("/api/v1/projects/{project_id}/members/{member_id}", { params }));
}

/** The role that was taken, given back: added to what they have from elsewhere, or by inviting them anew. */
export function giveBack(project: Project, member: ProjectMember): Promise<unknown> {
  const { id, email, granted_role: role, expires_at } = member;
  if (role === null) return Promise.resolve();
  if (member.origins.some((origin) => origin.source !== "grant")) {
    return changeRole(project, { id, version: null }, { role, expires_at });
  }
  const params = { path: { project_id: project.id } };
  return take(
    api.POST("/api/v1/projects/{project_id}/members", { params, body: { email, role, expires_at, show: false } }),
  );
}

interface GroupRole {
  role: Role;
  expires_at?: string | null;
}

export function setGroupRole(project: Project, groupId: string, body: GroupRole, version?: number) {
  const params = { path: { project_id: project.id, group_id: groupId }, ...ifMatch(version) };
  return take(api.PUT("/api/v1/projects/{project_id}/groups/{group_id}", { params, body }));
}

export function takeGroupRole(project: Project, grant: Pick<GroupGrant, "group" | "version">): Promise<unknown> {
  const params = { path: { project_id: project.id, group_id: grant.group.id }, ...ifMatch(grant.version) };
  return api.DELETE("/api/v1/projects/{project_id}/groups/{group_id}", { params });
}
