/** Where rows are sent: the fields of each kind of place. */
import { Group, Select, Switch, TextInput } from "@mantine/core";
import { DatabaseFields } from "../DatabaseFields";
import { ColumnsPicker, VolumePicker } from "../pickers";
import { ToWebhook } from "./ToWebhook";
import type { Target } from "./target";

interface Props<Type extends Target["type"] = Target["type"]> {
  target: Extract<Target, { type: Type }>;
  onChange: (target: Target) => void;
}

export function TargetFields({ target, onChange, columns }: Props & { columns: readonly string[] }) {
  switch (target.type) {
    case "file":
      return <ToFile target={target} onChange={onChange} />;
    case "postgresql":
      return <ToPostgresql target={target} onChange={onChange} columns={columns} />;
    case "webhook":
      return <ToWebhook target={target} onChange={onChange} />;
  }
}

function ToFile({ target, onChange }: Props<"file">) {
  const set = (part: Partial<typeof target>) => onChange({ ...target, ...part });
  return (
    <>
      <VolumePicker
        label="Volume"
        description="It takes Editor there."
        required
        value={target.volume_id || null}
        onChange={(volume) => set({ volume_id: volume ?? "" })}
      />
      <Group grow align="flex-start">
        <TextInput
          label="Folders and name"
          name="path"
          description="{date}, {time}, {run} and {number} are filled in; a file of that name is replaced."
          placeholder="exports/orders-{date}.csv"
          required
          value={target.path}
          onChange={(event) => set({ path: event.currentTarget.value })}
        />
        <Select
          label="Format"
          data={[
            { value: "csv", label: "CSV" },
            { value: "xlsx", label: "Excel" },
            { value: "parquet", label: "Parquet" },
          ]}
          value={target.format}
          onChange={(format) => set({ format: (format ?? "csv") as typeof target.format })}
          allowDeselect={false}
        />
      </Group>
      {target.format === "csv" && (
        <Switch
          label="Keep spreadsheets from taking text for formulas"
          description="Text that begins like a formula gets an apostrophe before it."
          checked={target.escape_formulas}
          onChange={(event) => set({ escape_formulas: event.currentTarget.checked })}
        />
      )}
    </>
  );
}

function ToPostgresql({ target, onChange, columns }: Props<"postgresql"> & { columns: readonly string[] }) {
  const set = (part: Partial<typeof target>) => onChange({ ...target, ...part });
  return (
    <>
      <DatabaseFields database={target} set={set} user="One who may write to that table." />
      <Group grow>
        <TextInput
          label="Schema"
          name="schema"
          required
          value={target.schema}
          onChange={(event) => set({ schema: event.currentTarget.value })}
        />
        <TextInput
          label="Table there"
          name="table"
          required
          value={target.table}
          onChange={(event) => set({ table: event.currentTarget.value })}
        />
      </Group>
      <Select
        label="How"
        data={[
          { value: "append", label: "Add the rows" },
          { value: "upsert", label: "Replace rows with the same keys, add the others" },
          { value: "overwrite", label: "Replace all rows" },
        ]}
        value={target.mode}
        onChange={(mode) =>
          set({ mode: (mode ?? "append") as typeof target.mode, ...(mode === "upsert" ? {} : { keys: [] }) })
        }
        allowDeselect={false}
      />
      {target.mode === "upsert" && (
        <ColumnsPicker
          label="Keys"
          required
          columns={columns}
          value={target.keys ?? []}
          onChange={(keys) => set({ keys })}
        />
      )}
    </>
  );
}
