/** The tenant's own channels: news of runs that belong to no project. */
import { api, take } from "../../api/client";
import { MemberPicker } from "../../components/Pickers";
import type { Source } from "../notifications/source";

export const tenantChannels: Source = {
  of: ["tenant", "notifications"],
  on: { type: "tenant", id: "tenant" },
  see: "see_settings",
  manage: "change_settings",
  list: () => take(api.GET("/api/v1/tenant/notifications")),
  set: (channel, body) =>
    take(
      api.PATCH("/api/v1/tenant/notifications/{kind}", {
        params: { path: { kind: channel.kind }, header: { "If-Match": `"${channel.version}"` } },
        body,
      }),
    ),
  receivers: async (kind, query) => {
    const params = { path: { kind }, query };
    const page = await take(api.GET("/api/v1/tenant/notifications/{kind}/receivers", { params }));
    const items = page.items.map((one) => ({ ...one, role: `tenant ${one.tenant_role}` }));
    return { items, next_cursor: page.next_cursor };
  },
  add: (kind, memberId) =>
    api.PUT("/api/v1/tenant/notifications/{kind}/receivers/{member_id}", {
      params: { path: { kind, member_id: memberId } },
    }),
  remove: (kind, memberId) =>
    api.DELETE("/api/v1/tenant/notifications/{kind}/receivers/{member_id}", {
      params: { path: { kind, member_id: memberId } },
    }),
  picker: (value, onChange) => (
    <MemberPicker label="Add somebody" value={value} onChange={onChange} takes={["active"]} />
  ),
};
