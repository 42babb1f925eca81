/** Tokens for programs, one's own or somebody else's: what each reaches, until when, and an end to it. */
import { Badge, Button, Code, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client";
import { confirmFirst } from "../components/confirm";
import { Moment } from "../components/Moment";
import { useListed } from "../components/narrowing";
import { howMany } from "../components/numbers";
import { type Column, type PageOf, ResourceList } from "../components/ResourceList";
import { BY_AGE, BY_NAME } from "../components/sorting";
import { Told } from "../components/Told";

export type Token = Schemas["TokenOut"];

const TOKEN_ORDERS = [...BY_AGE, ...BY_NAME, "used", "-used"] as const;
type TokenOrder = (typeof TOKEN_ORDERS)[number];

interface Props {
  of: readonly unknown[];
  read: (page: { cursor?: string; search?: string; sort?: TokenOrder }) => Promise<PageOf<Token>>;
  revoke: (token: Token) => Promise<unknown>;
  /** Of whom they are, if not one's own. */
  maker?: string;
  empty: ReactNode;
}

export function TokenList({ of, read, revoke, maker, empty }: Props) {
  const cache = useQueryClient();
  const end = useMutation({ mutationFn: revoke, onSuccess: () => cache.invalidateQueries({ queryKey: of }) });
  const ask = (token: Token) =>
    confirmFirst(
      maker ? `Revoke ${token.name} of ${maker}?` : `Revoke ${token.name}?`,
      "Whatever uses this token is refused from now on, at once; other tokens and sessions stay. " +
        "It cannot be taken back: a program that still needs one needs a new one.",
      `Revoke ${token.name}`,
      () => end.mutate(token),
    );
  const columns: Column<Token, TokenOrder>[] = [
    {
      name: "Token",
      sort: "name",
      cell: (token) => (
        <>
          <Text fw={600}>{token.name}</Text>
          <Code>{token.hint}…</Code>
        </>
      ),
    },
    { name: "Reaches", cell: (token) => <Reach token={token} maker={maker ? "they do" : "you do"} /> },
    { name: "Made", sort: "-created", cell: (token) => <Moment at={token.created_at} /> },
    {
      name: "Last used",
      sort: "-used",
      cell: (token) => (token.last_used_at ? <Moment at={token.last_used_at} /> : "never"),
    },
    { name: "Until", cell: (token) => (token.expires_at ? <Moment at={token.expires_at} exact /> : "for good") },
    {
      name: "",
      align: "right",
      cell: (token) =>
        token.actions.includes("revoke") && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Revoke the token ${token.name}`}
            onClick={() => ask(token)}
          >
            Revoke
          </Button>
        ),
    },
  ];
  return (
    <Stack>
      <Told error={end.error} />
      <ResourceList of={of} read={read} columns={columns} {...useListed(TOKEN_ORDERS, "Find a token")} empty={empty} />
    </Stack>
  );
}

function Reach({ token, maker }: { token: Token; maker: string }) {
  return (
    <Group gap="xs">
      <Badge variant="light" tt="none" miw="max-content">
        {token.read_only ? "reads only" : `all that ${maker}`}
      </Badge>
      {token.tables && (
        <Badge variant="light" tt="none" miw="max-content">
          {howMany(token.tables.length, "table")}
        </Badge>
      )}
    </Group>
  );
}
