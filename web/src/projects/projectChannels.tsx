/** A project's channels: news of its runs. */
import { api, take } from "../api/client";
import type { Source } from "../tenancy/notifications/source";
import { ProjectMemberPicker } from "./ProjectMemberPicker";
import type { Project } from "./words";

export function projectChannels(project: Project): Source {
  const path = { project_id: project.id };
  return {
    of: ["projects", project.id, "notifications"],
    on: { type: "project_membership", id: project.id },
    see: "see_project_settings",
    manage: "manage_notification_receivers",
    list: () => take(api.GET("/api/v1/projects/{project_id}/notifications", { params: { path } })),
    set: (channel, body) =>
      take(
        api.PATCH("/api/v1/projects/{project_id}/notifications/{kind}", {
          params: { path: { ...path, kind: channel.kind }, header: { "If-Match": `"${channel.version}"` } },
          body,
        }),
      ),
    receivers: async (kind, query) => {
      const params = { path: { ...path, kind }, query };
      const page = await take(api.GET("/api/v1/projects/{project_id}/notifications/{kind}/receivers", { params }));
      const items = page.items.map((one) => ({ ...one, role: one.role ?? "without a role" }));
      return { items, next_cursor: page.next_cursor };
    },
    add: (kind, memberId) =>
      api.PUT("/api/v1/projects/{project_id}/notifications/{kind}/receivers/{member_id}", {
        params: { path: { ...path, kind, member_id: memberId } },
      }),
    remove: (kind, memberId) =>
      api.DELETE("/api/v1/projects/{project_id}/notifications/{kind}/receivers/{member_id}", {
        params: { path: { ...path, kind, member_id: memberId } },
      }),
    picker: (value, onChange) => (
      <ProjectMemberPicker label="Add a Business User" project={project.id} value={value} onChange={onChange} />
    ),
  };
}
