/** Tokens for programs: made, shown once, revoked. They reach what their maker reaches at that moment, or less. */
import {
  Alert,
  Badge,
  Button,
  Checkbox,
  Code,
  CopyButton,
  Group,
  NumberInput,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { modals } from "@mantine/modals";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Moment } from "../../components/Moment";
import { type Column, ResourceList } from "../../components/ResourceList";
import { Told } from "../../components/Told";

type Token = Schemas["TokenOut"];

export function Tokens() {
  const cache = useQueryClient();
  const revoke = useMutation({
    mutationFn: (token: Token) => api.DELETE("/api/v1/tokens/{token_id}", { params: { path: { token_id: token.id } } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["tokens"] }),
  });
  const ask = (token: Token) =>
    modals.openConfirmModal({
      title: `Revoke ${token.name}?`,
      children: <Text size="sm">Whatever uses it is refused at once. It cannot be taken back.</Text>,
      labels: { confirm: `Revoke ${token.name}`, cancel: "Keep it" },
      confirmProps: { color: "#c92a2a" },
      onConfirm: () => revoke.mutate(token),
    });
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
          <Badge variant="light">{token.read_only ? "reads only" : "as you"}</Badge>
          {token.tables && <Badge variant="light">{token.tables.length} tables</Badge>}
        </Group>
      ),
    },
    { name: "Last used", cell: (token) => <Moment at={token.last_used_at} /> },
    { name: "Until", cell: (token) => (token.expires_at ? <Moment at={token.expires_at} /> : "for good") },
    {
      name: "",
      align: "right",
      cell: (token) => (
        <Button size="compact-sm" variant="default" onClick={() => ask(token)}>
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <Stack>
      <NewToken />
      <Told error={revoke.error} />
      <ResourceList
        of={["tokens"]}
        read={({ cursor }) => take(api.GET("/api/v1/tokens", { params: { query: { cursor } } }))}
        columns={columns}
        empty="You have no token. A program signs in with one, as you."
      />
    </Stack>
  );
}

function NewToken() {
  const cache = useQueryClient();
  const [name, setName] = useState("");
  const [readOnly, setReadOnly] = useState(true);
  const [days, setDays] = useState<number | "">(90);
  const make = useMutation({
    mutationFn: () =>
      take(
        api.POST("/api/v1/tokens", {
          body: { name, read_only: readOnly, expires_in_days: days === "" ? null : days },
        }),
      ),
    onSuccess: async () => {
      setName("");
      await cache.invalidateQueries({ queryKey: ["tokens"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Group align="flex-end">
          <TextInput
            label="What it is for"
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NumberInput
            label="For how many days"
            min={1}
            max={3650}
            allowDecimal={false}
            value={days}
            onChange={(value) => setDays(typeof value === "number" ? value : "")}
          />
          <Checkbox
            label="Reads only"
            checked={readOnly}
            onChange={(event) => setReadOnly(event.currentTarget.checked)}
            pb={8}
          />
          <Button type="submit" loading={make.isPending}>
            Make a token
          </Button>
        </Group>
        <Told error={make.error} />
        {make.data && (
          <Alert variant="light" title="Copy it now: it is not shown again" role="status">
            <Group>
              <Code>{make.data.secret}</Code>
              <CopyButton value={make.data.secret}>
                {({ copied, copy }) => (
                  <Button size="compact-sm" variant="default" onClick={copy}>
                    {copied ? "Copied" : "Copy"}
                  </Button>
                )}
              </CopyButton>
            </Group>
          </Alert>
        )}
      </Stack>
    </form>
  );
}
