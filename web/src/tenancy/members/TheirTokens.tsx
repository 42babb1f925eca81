/** A member's tokens, for owners and admins: seen, and revoked. */
import { Badge, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../api/client";
import { confirmFirst } from "../../components/confirm";
import { Empty } from "../../components/Empty";
import { Moment } from "../../components/Moment";
import { type Column, ResourceList } from "../../components/ResourceList";
import { Told } from "../../components/Told";
import { howMany, type MemberDetail } from "../words";

type Token = Schemas["TokenOut"];

export function TheirTokens({ member }: { member: MemberDetail }) {
  const cache = useQueryClient();
  const of = ["members", member.id, "tokens"];
  const revoke = useMutation({
    mutationFn: (token: Token) =>
      api.DELETE("/api/v1/members/{member_id}/tokens/{token_id}", {
        params: { path: { member_id: member.id, token_id: token.id } },
      }),
    onSuccess: () => cache.invalidateQueries({ queryKey: of }),
  });
  const ask = (token: Token) =>
    confirmFirst(
      `Revoke ${token.name} of ${member.name}?`,
      "Whatever uses it is refused at once. It cannot be taken back.",
      `Revoke ${token.name}`,
      () => revoke.mutate(token),
    );
  const columns: Column<Token>[] = [
    {
      name: "Token",
      cell: (token) => (
        <>
          <Text fw={600}>{token.name}</Text>
          <Code>{token.hint}…</Code>
        </>
      ),
    },
    {
      name: "Reaches",
      cell: (token) => (
        <Group gap="xs">
          <Badge variant="light">{token.read_only ? "reads only" : "as they do"}</Badge>
          {token.tables && <Badge variant="light">{howMany(token.tables.length, "table")}</Badge>}
        </Group>
      ),
    },
    { name: "Made", cell: (token) => <Moment at={token.created_at} /> },
    { name: "Last used", cell: (token) => <Moment at={token.last_used_at} /> },
    { name: "Until", cell: (token) => (token.expires_at ? <Moment at={token.expires_at} /> : "for good") },
    {
      name: "",
      align: "right",
      cell: (token) =>
        token.actions.includes("revoke") && (
          <Button size="compact-sm" variant="default" onClick={() => ask(token)}>
            Revoke
          </Button>
        ),
    },
  ];
  return (
    <Stack>
      <Told error={revoke.error} />
      <ResourceList
        of={of}
        read={({ cursor }) =>
          take(
            api.GET("/api/v1/members/{member_id}/tokens", {
              params: { path: { member_id: member.id }, query: { cursor } },
            }),
          )
        }
        columns={columns}
        empty={
          <Empty icon={IconKey} title="No token">
            Members make tokens for their programs in their account. A token never reaches more than its maker does.
          </Empty>
        }
      />
    </Stack>
  );
}
