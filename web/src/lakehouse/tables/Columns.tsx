/** The columns of a table that is about to be made. */
import { ActionIcon, Autocomplete, Button, Fieldset, Group, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";

export interface Column {
  key: number;
  name: string;
  type: string;
  description: string;
}

export const EMPTY: Omit<Column, "key"> = { name: "", type: "string", description: "" };

const TYPES = [
  "string",
  "int",
  "bigint",
  "double",
  "decimal(10,2)",
  "boolean",
  "date",
  "timestamp",
  "timestamp_ntz",
  "binary",
  "array<string>",
];

interface Props {
  value: readonly Column[];
  onChange: (columns: readonly Column[]) => void;
}

export function Columns({ value, onChange }: Props) {
  const change = (key: number, changes: Partial<Column>) =>
    onChange(value.map((column) => (column.key === key ? { ...column, ...changes } : column)));
  const next = Math.max(...value.map((column) => column.key)) + 1;
  return (
    <Fieldset legend="Columns">
      <Stack gap="xs">
        {value.map((column, position) => (
          <Group key={column.key} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={`Name of column ${position + 1}`}
              placeholder="Name"
              name={`columns.${position}.name`}
              required
              value={column.name}
              onChange={(event) => change(column.key, { name: event.currentTarget.value })}
              flex={2}
            />
            <Autocomplete
              aria-label={`Type of column ${position + 1}`}
              name={`columns.${position}.type`}
              required
              data={TYPES}
              value={column.type}
              onChange={(type) => change(column.key, { type })}
              flex={1}
            />
            <TextInput
              aria-label={`Description of column ${position + 1}`}
              name={`columns.${position}.description`}
              placeholder="What it means"
              maxLength={2000}
              value={column.description}
              onChange={(event) => change(column.key, { description: event.currentTarget.value })}
              flex={3}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Leave out column ${position + 1}`}
              disabled={value.length === 1}
              onClick={() => onChange(value.filter((one) => one.key !== column.key))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          w="fit-content"
          leftSection={<IconPlus size={16} />}
          onClick={() => onChange([...value, { ...EMPTY, key: next }])}
        >
          Another column
        </Button>
      </Stack>
    </Fieldset>
  );
}
