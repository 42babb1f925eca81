/** How the rows of a statement go into its table. */
import { Radio, Stack, Switch } from "@mantine/core";
import { ColumnsPicker } from "../pickers";
import type { Draft, Mode } from "./statement";

interface Props {
  draft: Draft;
  set: (part: Partial<Draft>) => void;
  columns: readonly string[];
}

export function ModeFields({ draft, set, columns }: Props) {
  return (
    <Stack>
      <Radio.Group label="With each run" value={draft.mode} onChange={(mode) => set({ mode: mode as Mode })}>
        <Stack gap="xs" mt="xs">
          <Radio value="overwrite" label="Replace all rows" />
          <Radio value="append" label="Add the rows to those that are there" />
          <Radio value="merge" label="Replace rows with the same key, and add the others" />
        </Stack>
      </Radio.Group>
      {draft.mode === "merge" && (
        <ColumnsPicker
          label="Key"
          description="Columns that identify a row."
          required
          columns={columns}
          value={draft.keys}
          onChange={(keys) => set({ keys })}
        />
      )}
      {draft.mode === "overwrite" && (
        <Switch
          label="Let the table have exactly the statement's columns"
          description="Whatever they were before; otherwise columns may only be added and types widened."
          checked={draft.replace_schema}
          onChange={(event) => set({ replace_schema: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}
