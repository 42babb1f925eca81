/** What a stream reads at its source: a pattern of files, a table, or a path. */
import { Group, NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import { inLines, pairsOf } from "../pipelines/pairs";
import { TablePicker } from "../pipelines/pickers";
import type { Read } from "./connection";

interface Props<Type extends Read["type"] = Read["type"]> {
  read: Extract<Read, { type: Type }>;
  onChange: (read: Read) => void;
}

export function ReadFields({ read, onChange }: Props) {
  switch (read.type) {
    case "files":
      return (
        <TextInput
          label="Which files"
          name="pattern"
          description="* stands for any part of a name, ** for any folders."
          placeholder="orders/*.csv"
          required
          value={read.pattern}
          onChange={(event) => onChange({ ...read, pattern: event.currentTarget.value })}
        />
      );
    case "postgresql":
      return <OfPostgresql read={read} onChange={onChange} />;
    case "http":
      return <OfHttp read={read} onChange={onChange} />;
    case "table":
      return (
        <TablePicker
          label="Table"
          description="It takes Editor on it."
          required
          value={read.table_id || null}
          onChange={(table_id) => onChange({ ...read, table_id: table_id ?? "" })}
        />
      );
  }
}

function OfPostgresql({ read, onChange }: Props<"postgresql">) {
  return (
    <>
      <Group grow>
        <TextInput
          label="Schema"
          name="schema"
          required
          value={read.schema}
          onChange={(event) => onChange({ ...read, schema: event.currentTarget.value })}
        />
        <TextInput
          label="Table"
          required
          value={read.table}
          onChange={(event) => onChange({ ...read, table: event.currentTarget.value })}
        />
      </Group>
      <Group grow align="flex-start">
        <TextInput
          label="Divide by"
          name="partition_column"
          description="A number or date by which a big table is read in parts; may be empty."
          value={read.partition_column ?? ""}
          onChange={(event) => onChange({ ...read, partition_column: event.currentTarget.value || null })}
        />
        <NumberInput
          label="Parts"
          name="partitions"
          description="How many are read at once."
          min={1}
          max={64}
          allowDecimal={false}
          value={read.partitions}
          onChange={(value) => onChange({ ...read, partitions: Number(value) || 4 })}
        />
      </Group>
    </>
  );
}

function OfHttp({ read, onChange }: Props<"http">) {
  const { pagination } = read;
  const page = (part: Partial<typeof pagination>) => onChange({ ...read, pagination: { ...pagination, ...part } });
  return (
    <>
      <Group grow align="flex-start">
        <TextInput
          label="Path"
          name="path"
          description="Below the source's address."
          placeholder="orders"
          value={read.path}
          onChange={(event) => onChange({ ...read, path: event.currentTarget.value })}
        />
        <TextInput
          label="Where the records stand"
          name="records"
          description="In the answer, such as data.items; empty: all of it."
          value={read.records}
          onChange={(event) => onChange({ ...read, records: event.currentTarget.value })}
        />
      </Group>
      <Textarea
        label="Parameters"
        name="query"
        description="One to a line, such as status: open."
        autosize
        defaultValue={inLines(read.query)}
        onChange={(event) => onChange({ ...read, query: pairsOf(event.currentTarget.value) })}
      />
      <Group grow align="flex-start">
        <Select
          label="How it hands out pages"
          data={[
            { value: "none", label: "All at once" },
            { value: "page", label: "By page number" },
            { value: "offset", label: "By offset" },
            { value: "cursor", label: "By a cursor in the answer" },
            { value: "link", label: "By a Link header" },
          ]}
          value={pagination.kind}
          onChange={(kind) => page({ kind: (kind ?? "none") as typeof pagination.kind })}
          allowDeselect={false}
        />
        {pagination.kind === "cursor" && (
          <TextInput
            label="Where the cursor stands"
            name="cursor_path"
            placeholder="meta.next"
            required
            value={pagination.cursor_path ?? ""}
            onChange={(event) => page({ cursor_path: event.currentTarget.value || null })}
          />
        )}
      </Group>
      {pagination.kind !== "none" && pagination.kind !== "link" && (
        <Group grow align="flex-start">
          <TextInput
            label="Its parameter"
            name="parameter"
            placeholder="page"
            value={pagination.parameter ?? ""}
            onChange={(event) => page({ parameter: event.currentTarget.value || null })}
          />
          <NumberInput
            label="Records on a page"
            name="size"
            min={1}
            max={10_000}
            allowDecimal={false}
            value={pagination.size}
            onChange={(value) => page({ size: Number(value) || 100 })}
          />
        </Group>
      )}
      <TextInput
        label="Parameter for what is new"
        name="since_parameter"
        description="Takes the last value of the column that grows, where the API has one."
        placeholder="updated_since"
        value={read.since_parameter ?? ""}
        onChange={(event) => onChange({ ...read, since_parameter: event.currentTarget.value || null })}
      />
    </>
  );
}
