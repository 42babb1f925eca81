/** Where a source points to: the fields of its kind, each saying what it is for. */
import { Alert, NumberInput, Stack, TextInput } from "@mantine/core";
import { DatabaseFields } from "../pipelines/DatabaseFields";
import { SecretField } from "../pipelines/SecretField";
import { secretOf } from "../pipelines/secrets";
import { WebFields } from "../pipelines/WebFields";
import type { Connection } from "./connection";
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
      {connection.type === "postgresql" && (
        <DatabaseFields
          database={connection}
          set={(part) => onChange({ ...connection, ...part })}
          user="One who may only read is best."
        />
      )}
      {connection.type === "http" && <HttpFields connection={connection} onChange={onChange} />}
      {connection.type === "table" && (
        <Alert variant="light">
          Nothing to set: each stream says which table it reads. It takes Editor on that table.
        </Alert>
      )}
      {asked && <SecretField label={asked} value={secret} onChange={onSecret} kept={hasSecret} />}
    </Stack>
  );
}

interface HttpProps {
  connection: Extract<Connection, { type: "http" }>;
  onChange: (connection: Connection) => void;
}

function HttpFields({ connection, onChange }: HttpProps) {
  const set = (part: Partial<typeof connection>) => onChange({ ...connection, ...part });
  return (
    <>
      <TextInput
        label="Address"
        name="url"
        description="What all streams have in common; each adds a path of its own."
        placeholder="https://api.example.com/v2/"
        type="url"
        required
        value={connection.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <WebFields web={connection} set={set} />
      <NumberInput
        label="At most, in megabytes"
        name="most_megabytes"
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
