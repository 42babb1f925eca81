/** Something that a source holds: what it looks like, and how it would be read if it were chosen. */
import { Checkbox, Collapse, Group, Paper, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { NameInput } from "../NameInput";
import { ColumnsPicker } from "../pipelines/pickers";
import type { Found } from "./look";
import { Sample } from "./Sample";
import { firstWish, type Wish } from "./streams";

interface Props {
  found: Found;
  wish: Wish | undefined;
  onWish: (wish: Wish | undefined) => void;
}

export function FoundStream({ found, wish, onWish }: Props) {
  const there = found.id !== null;
  return (
    <Paper withBorder p="md" component="article" aria-label={found.name}>
      <Stack gap="sm">
        <Checkbox
          label={
            <Text span fw={600} size="sm">
              {found.name}
            </Text>
          }
          description={there ? "The source reads it already." : found.about}
          disabled={there || found.problem !== null}
          checked={there || wish !== undefined}
          onChange={(event) => onWish(event.currentTarget.checked ? firstWish(found) : undefined)}
        />
        {found.problem && (
          <Text size="sm" c="red">
            {found.problem}
          </Text>
        )}
        <Collapse expanded={wish !== undefined}>
          {wish && <Wished found={found} wish={wish} onWish={onWish} />}
        </Collapse>
        <Sample found={found} />
      </Stack>
    </Paper>
  );
}

function Wished({ found, wish, onWish }: { found: Found; wish: Wish; onWish: (wish: Wish) => void }) {
  const columns = found.columns.map((column) => column.name);
  const byFile = found.read.type === "files";
  return (
    <Stack gap="sm">
      <Group align="flex-end">
        <div>
          <Text size="sm" fw={500} mb={4}>
            How it is read
          </Text>
          <SegmentedControl
            aria-label={`How ${found.name} is read`}
            value={wish.mode}
            onChange={(mode) => onWish({ ...wish, mode: mode as Wish["mode"] })}
            data={[
              { value: "full", label: "In full, each time" },
              { value: "incremental", label: byFile ? "Only new files" : "Only what is new" },
            ]}
          />
        </div>
        <NameInput
          label="Table"
          description="Where its rows land."
          example="orders"
          value={wish.table}
          onChange={(table) => onWish({ ...wish, table })}
        />
      </Group>
      {wish.mode === "incremental" && (
        <Group grow align="flex-start">
          {!byFile && (
            <Select
              label="By which column"
              description="One that grows: a number, or when a row was changed."
              required
              searchable
              data={columns}
              value={wish.cursor}
              onChange={(cursor) => onWish({ ...wish, cursor })}
            />
          )}
          <ColumnsPicker
            label="Key"
            description="Rows with the same key replace each other; without one, rows are added."
            columns={columns}
            value={wish.keys}
            onChange={(keys) => onWish({ ...wish, keys })}
          />
        </Group>
      )}
    </Stack>
  );
}
