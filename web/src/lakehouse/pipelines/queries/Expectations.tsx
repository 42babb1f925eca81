/** What is expected of the rows each time: checked before they are written. */
import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { Expectation } from "./statement";

const KINDS: { value: Expectation["kind"]; label: string }[] = [
  { value: "not_null", label: "is never empty" },
  { value: "unique", label: "is never there twice" },
  { value: "accepted_values", label: "is one of" },
  { value: "range", label: "lies between" },
  { value: "freshness", label: "is fresh" },
  { value: "row_count", label: "Number of rows" },
];

interface Props {
  value: Expectation[];
  onChange: (value: Expectation[]) => void;
  columns: readonly string[];
}

export function Expectations({ value, onChange, columns }: Props) {
  const change = (place: number, now: Expectation) => onChange(value.with(place, now));
  const rows = value.map((one, place) => ({ one, place }));
  return (
    <Paper withBorder p="lg" component="section" aria-label="Expectations">
      <Stack>
        <div>
          <Title order={2} size="h4">
            What is expected of the rows
          </Title>
          <Text size="sm" c="dimmed">
            Checked with each run, before anything is written. What is not met warns, or stops the run.
          </Text>
        </div>
        {rows.map(({ one, place }) => (
          <Group key={place} align="flex-end">
            {one.kind !== "row_count" && (
              <TextInput
                label="Column"
                required
                w={160}
                list="found-columns"
                value={one.column ?? ""}
                onChange={(event) => change(place, { ...one, column: event.currentTarget.value || null })}
              />
            )}
            <Select
              label="Expected"
              data={KINDS}
              w={180}
              value={one.kind}
              onChange={(kind) => change(place, freshOf((kind ?? "not_null") as Expectation["kind"], one))}
              allowDeselect={false}
            />
            <Bounds one={one} onChange={(now) => change(place, now)} />
            <Switch
              label="or stop"
              checked={one.stop}
              mb={8}
              onChange={(event) => change(place, { ...one, stop: event.currentTarget.checked })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label="Take this expectation away"
              onClick={() => onChange(value.toSpliced(place, 1))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        <datalist id="found-columns">
          {columns.map((column) => (
            <option key={column} value={column} />
          ))}
        </datalist>
        <Group>
          <Button
            variant="default"
            onClick={() => onChange([...value, { kind: "not_null", column: columns[0] ?? null, stop: false }])}
          >
            Expect something
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

/** Another kind of the same column, without what only the kind before had. */
function freshOf(kind: Expectation["kind"], before: Expectation): Expectation {
  return { kind, stop: before.stop, column: kind === "row_count" ? null : before.column };
}

function Bounds({ one, onChange }: { one: Expectation; onChange: (one: Expectation) => void }) {
  if (one.kind === "accepted_values") {
    return (
      <TagsInput
        label="Values"
        required
        w={260}
        value={(one.values ?? []).map(String)}
        onChange={(values) => onChange({ ...one, values })}
      />
    );
  }
  if (one.kind === "freshness") {
    return (
      <NumberInput
        label="Not older than, in minutes"
        min={1}
        w={180}
        value={one.minutes ?? ""}
        onChange={(minutes) => onChange({ ...one, minutes: Number(minutes) || null })}
      />
    );
  }
  if (one.kind !== "range" && one.kind !== "row_count") return null;
  const bound = (typed: string) => (typed === "" ? null : Number.isNaN(Number(typed)) ? typed : Number(typed));
  return (
    <>
      <TextInput
        label="At least"
        w={110}
        value={one.least ?? ""}
        onChange={(event) => onChange({ ...one, least: bound(event.currentTarget.value) })}
      />
      <TextInput
        label="At most"
        w={110}
        value={one.most ?? ""}
        onChange={(event) => onChange({ ...one, most: bound(event.currentTarget.value) })}
      />
    </>
  );
}
