/** A member's tokens, for owners and admins: seen, and revoked. */
import { IconKey } from "@tabler/icons-react";
import { api, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TokenList } from "../TokenList";
import type { MemberDetail } from "../words";

export function TheirTokens({ member }: { member: MemberDetail }) {
  const path = { member_id: member.id };
  return (
    <TokenList
      of={["members", member.id, "tokens"]}
      read={(query) => take(api.GET("/api/v1/members/{member_id}/tokens", { params: { path, query } }))}
      revoke={({ id }) =>
        api.DELETE("/api/v1/members/{member_id}/tokens/{token_id}", { params: { path: { ...path, token_id: id } } })
      }
      maker={member.name}
      empty={
        <Empty icon={IconKey} title="No token">
          Members make tokens for their programs in their account. A token never reaches more than its maker does.
        </Empty>
      }
    />
  );
}
