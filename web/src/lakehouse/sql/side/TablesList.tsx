/** Tables one may see; a click puts a name where one writes, and what a table holds is a click away. */
import { ActionIcon, Group, Loader, Stack, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../../api/client";
import { Told } from "../../../components/Told";
import styles from "../SqlPage.module.css";
import { Listed } from "./Listed";

type Table = Schemas["TableInListOut"];

export function TablesList({ search, onInsert }: { search: string | undefined; onInsert: (text: string) => void }) {
  return (
    <Listed
      of={["tables", "for sql", search ?? ""]}
      read={(cursor) => take(api.GET("/api/v1/tables", { params: { query: { cursor, search, limit: 30 } } }))}
      show={(table) => <One table={table} onInsert={onInsert} />}
      empty={
        search
          ? "No table is called so."
          : "You see no table yet. Tables come from sources and pipelines; whoever manages one can give you a level on it."
      }
    />
  );
}

function One({ table, onInsert }: { table: Table; onInsert: (text: string) => void }) {
  const [opened, { toggle }] = useDisclosure();
  return (
    <>
      <Group gap={2} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="sm"
          onClick={toggle}
          aria-expanded={opened}
          aria-label={`Columns of ${table.full_name}`}
        >
          {opened ? <IconChevronDown size={15} /> : <IconChevronRight size={15} />}
        </ActionIcon>
        <UnstyledButton
          className={styles.item}
          onClick={() => onInsert(table.full_name)}
          title={table.description || `Write ${table.full_name}`}
          aria-label={`Write ${table.full_name}`}
        >
          <Text size="sm" truncate>
            {table.name}{" "}
            <Text span c="dimmed" size="xs">
              in {table.layer.name}
            </Text>
          </Text>
        </UnstyledButton>
      </Group>
      {opened && <Columns tableId={table.id} onInsert={onInsert} />}
    </>
  );
}

function Columns({ tableId, onInsert }: { tableId: string; onInsert: (text: string) => void }) {
  const found = useQuery({
    queryKey: ["tables", tableId],
    queryFn: () => take(api.GET("/api/v1/tables/{table_id}", { params: { path: { table_id: tableId } } })),
  });
  return (
    <Stack gap={0} ml={26} mb={6}>
      {found.isPending && <Loader size="xs" />}
      <Told error={found.error} />
      {found.data?.fields.map((field) => (
        <UnstyledButton
          key={field.name}
          className={styles.item}
          onClick={() => onInsert(field.name)}
          title={field.description || undefined}
          aria-label={`Write ${field.name}`}
        >
          <Group gap="xs" justify="space-between" wrap="nowrap">
            <Text size="xs" truncate>
              {field.name}
            </Text>
            <Text size="xs" c="dimmed" truncate maw={110} title={field.type}>
              {field.type}
            </Text>
          </Group>
        </UnstyledButton>
      ))}
    </Stack>
  );
}
