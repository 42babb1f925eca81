/** Which PostgreSQL database: the same for what reads from one and what sends to one. */
import { Group, NumberInput, Select, TextInput } from "@mantine/core";
import type { Connection } from "../sources/connection";

type Database = Omit<Extract<Connection, { type: "postgresql" }>, "type">;

interface Props {
  database: Database;
  set: (part: Partial<Database>) => void;
  /** What its user should be able to do there. */
  user: string;
}

export function DatabaseFields({ database, set, user }: Props) {
  return (
    <>
      <Group grow align="flex-start">
        <TextInput
          label="Host"
          name="host"
          description="As the server reaches it."
          placeholder="db.example.com"
          required
          value={database.host}
          onChange={(event) => set({ host: event.currentTarget.value })}
        />
        <NumberInput
          label="Port"
          name="port"
          description="5432 unless somebody chose another."
          min={1}
          max={65535}
          allowDecimal={false}
          value={database.port}
          onChange={(port) => set({ port: Number(port) || 5432 })}
        />
      </Group>
      <Group grow align="flex-start">
        <TextInput
          label="Database"
          name="database"
          description="Its name there."
          required
          value={database.database}
          onChange={(event) => set({ database: event.currentTarget.value })}
        />
        <TextInput
          label="User"
          name="user"
          description={user}
          required
          autoComplete="off"
          value={database.user}
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
        value={database.encryption}
        onChange={(value) => set({ encryption: (value ?? "prefer") as Database["encryption"] })}
        allowDeselect={false}
      />
    </>
  );
}
