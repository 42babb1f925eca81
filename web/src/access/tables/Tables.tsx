/** The documents' permission tables, to leaf through and to search. */
import { Box, Flex, Group, NavLink, ScrollArea, Select, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconTable } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Empty } from "../../components/Empty";
import { SearchInput } from "../../components/SearchInput";
import { Told } from "../../components/Told";
import { type AccessTable, tablesQuery, typeInWords } from "../known";
import type { Asked } from "../routes";
import { AccessTableView } from "./AccessTableView";
import { addressOf, speaksOf } from "./reading";

interface Props {
  asked: Asked;
  ask: (change: Partial<Asked>) => void;
}

export function Tables({ asked, ask }: Props) {
  const found = useQuery(tablesQuery);
  if (found.error) return <Told error={found.error} />;
  if (!found.data) return <Skeleton height={420} />;
  const tables = found.data;
  const sought = asked.search ?? "";
  const matching = tables.filter((table) => speaksOf(table, sought));
  const chosen = tables.find((table) => addressOf(table, tables) === asked.table) ?? tables[0];
  const shown = sought ? matching : chosen ? [chosen] : [];
  const open = (table: string) => ask({ table, search: undefined });
  return (
    <Stack>
      <SearchInput
        label="Find in the tables"
        placeholder="Find a role, an action, a kind of thing"
        value={asked.search}
        set={(search) => ask({ search })}
        maw={420}
      />
      <Flex gap="xl" align="flex-start" direction={{ base: "column", md: "row" }}>
        <Contents tables={matching} all={tables} chosen={sought ? undefined : chosen} open={open} />
        <Stack gap="xl" flex={1} miw={0} w="100%">
          {shown.map((table) => (
            <One key={addressOf(table, tables)} table={table} search={sought} />
          ))}
          {shown.length === 0 && (
            <Box py="xl">
              <Empty icon={IconTable} title="No table speaks of that">
                The tables use the documents' own words: “Technical User”, “Delete”, “data space”.
              </Empty>
            </Box>
          )}
        </Stack>
      </Flex>
    </Stack>
  );
}

function One({ table, search }: { table: AccessTable; search: string }) {
  return (
    <Stack gap="xs">
      <div>
        <Title order={2} size="h4">
          {table.name}
        </Title>
        <Text size="sm" c="dimmed">
          Document “{table.document}”. It decides about: {table.governs.map(typeInWords).join(", ")}.
        </Text>
      </div>
      <AccessTableView table={table} search={search} />
    </Stack>
  );
}

interface ContentsProps {
  tables: readonly AccessTable[];
  all: readonly AccessTable[];
  chosen: AccessTable | undefined;
  open: (address: string) => void;
}

/** The tables by document: beside what is shown, or to be chosen from where there is little room. */
function Contents({ tables, all, chosen, open }: ContentsProps) {
  const documents = [...Map.groupBy(tables, (table) => table.document)];
  return (
    <>
      <Box w={260} visibleFrom="md" component="nav" aria-label="Tables">
        <ScrollArea.Autosize mah="70vh" type="hover">
          {documents.map(([document, its]) => (
            <div key={document}>
              <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={4}>
                {document}
              </Text>
              {its.map((table) => (
                <NavLink
                  key={addressOf(table, all)}
                  component="button"
                  type="button"
                  label={labelOf(table, its)}
                  active={table === chosen}
                  aria-current={table === chosen ? "page" : undefined}
                  onClick={() => open(addressOf(table, all))}
                  py={4}
                  styles={{ label: { fontSize: "var(--mantine-font-size-sm)" } }}
                />
              ))}
            </div>
          ))}
        </ScrollArea.Autosize>
      </Box>
      <Group hiddenFrom="md" w="100%">
        <Select
          aria-label="Table"
          placeholder="Choose a table"
          w="100%"
          value={chosen ? addressOf(chosen, all) : null}
          onChange={(address) => address && open(address)}
          data={documents.map(([group, its]) => ({
            group,
            items: its.map((table) => ({ value: addressOf(table, all), label: labelOf(table, its) })),
          }))}
        />
      </Group>
    </>
  );
}

/** Three tables are called the same: what each governs tells them apart. */
function labelOf(table: AccessTable, beside: readonly AccessTable[]): string {
  const alike = beside.filter((other) => other.name === table.name);
  return alike.length > 1 ? `${table.name}: ${typeInWords(table.governs[0] ?? "")}` : table.name;
}
