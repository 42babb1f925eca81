/** Where a source points to: the fields of its kind, each saying what it is for. */
import { Alert, Group, NumberInput, PasswordInput, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { inLines, pairsOf } from "../pipelines/pairs";
import { type Connection, secretOf } from "./connection";
import { FilesFields } from "./FilesFields";

interface Props {
  connection: Connection;
  onChange: (connection: Connection) => void;
  secret: string;
  onSecret: (secret: string) => void;
  /** Whether one is kept already: it is never shown. */
  hasSecret?: boolean;
}

export function ConnectionFields({ connection, onChange, secret, onSecret, hasSecret = false }: Props) {
  const asked = secretOf(connection);
  return (
    <Stack>
      {connection.type === "files" && <FilesFields connection={connection} onChange={onChange} />}
      {connection.type === "postgresql" && <PostgresqlFields connection={connection} onChange={onChange} />}
      {connection.type === "http" && <HttpFields connection={connection} onChange={onChange} />}
      {connection.type === "table" && (
        <Alert variant="light">
          Nothing to set: each stream says which table it reads. It takes Editor on that table.
        </Alert>
      )}
      {asked && (
        <PasswordInput
          label={asked}
          description={
            hasSecret
              ? "One is kept, encrypted, and shown to nobody. Leave this empty to keep it."
              : "Kept encrypted, and shown to nobody, not even to you."
          }
          autoComplete="new-password"
          value={secret}
          onChange={(event) => onSecret(event.currentTarget.value)}
        />
      )}
    </Stack>
  );
}

interface Of<Type> {
  connection: Extract<Connection, { type: Type }>;
  onChange: (connection: Connection) => void;
}

function PostgresqlFields({ connection, onChange }: Of<"postgresql">) {
  const set = (part: Partial<typeof connection>) => onChange({ ...connection, ...part });
  return (
    <>
      <Group grow align="flex-start">
        <TextInput
          label="Host"
          description="As the server reaches it."
          placeholder="db.example.com"
          required
          value={connection.host}
          onChange={(event) => set({ host: event.currentTarget.value })}
        />
        <NumberInput
          label="Port"
          description="5432 unless somebody chose another."
          min={1}
          max={65535}
          allowDecimal={false}
          value={connection.port}
          onChange={(port) => set({ port: Number(port) || 5432 })}
        />
      </Group>
      <Group grow align="flex-start">
        <TextInput
          label="Database"
          required
          value={connection.database}
          onChange={(event) => set({ database: event.currentTarget.value })}
        />
        <TextInput
          label="User"
          description="One who may only read is best."
          required
          autoComplete="off"
          value={connection.user}
          onChange={(event) => set({ user: event.currentTarget.value })}
        />
      </Group>
      <Select
        label="Encryption"
        data={[
          { value: "prefer", label: "Where the database offers it" },
          { value: "require", label: "Always: fail without it" },
          { value: "disable", label: "Never" },
        ]}
        value={connection.encryption}
        onChange={(value) => set({ encryption: (value ?? "prefer") as typeof connection.encryption })}
        allowDeselect={false}
      />
    </>
  );
}

function HttpFields({ connection, onChange }: Of<"http">) {
  const set = (part: Partial<typeof connection>) => onChange({ ...connection, ...part });
  return (
    <>
      <TextInput
        label="Address"
        description="What all streams have in common; each adds a path of its own."
        placeholder="https://api.example.com/v2/"
        type="url"
        required
        value={connection.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <Select
        label="How it knows us"
        data={[
          { value: "none", label: "It does not ask" },
          { value: "bearer", label: "A token (Authorization: Bearer …)" },
          { value: "basic", label: "A user and a password" },
          { value: "header", label: "A secret in a header of its own" },
        ]}
        value={connection.authentication}
        onChange={(value) => set({ authentication: (value ?? "none") as typeof connection.authentication })}
        allowDeselect={false}
      />
      {connection.authentication === "basic" && (
        <TextInput
          label="User"
          required
          autoComplete="off"
          value={connection.user ?? ""}
          onChange={(event) => set({ user: event.currentTarget.value || null })}
        />
      )}
      {connection.authentication === "header" && (
        <TextInput
          label="Header"
          description="Which one holds the secret."
          placeholder="X-Api-Key"
          required
          value={connection.header ?? ""}
          onChange={(event) => set({ header: event.currentTarget.value || null })}
        />
      )}
      <Textarea
        label="Other headers"
        description="One to a line, such as Accept: application/json. No secrets: whoever sees the source sees these."
        autosize
        minRows={2}
        defaultValue={inLines(connection.headers)}
        onChange={(event) => set({ headers: pairsOf(event.currentTarget.value) })}
      />
      <NumberInput
        label="At most, in megabytes"
        description="Of one reading of a stream; more stops it."
        min={1}
        max={10_000}
        allowDecimal={false}
        value={connection.most_megabytes}
        onChange={(value) => set({ most_megabytes: Number(value) || 500 })}
      />
    </>
  );
}
