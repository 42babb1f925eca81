/** Where a table's data comes from and goes to, by table or by column. */
import { Center, Group, List, Paper, SegmentedControl, Select, Skeleton, Stack, Text } from "@mantine/core";
import { IconRoute } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { Graph } from "../../components/Graph";
import { TextLink } from "../../components/links";
import { Told } from "../../components/Told";
import { FOLLOWED, type Followed } from "../parts";
import { byColumn, byTable } from "./drawn";
import { columnInWords, type LineageOf, type Step, stepsOf, wayOf } from "./lineage";

interface Shown {
  columns?: boolean;
  steps?: Followed;
  lit?: string;
}

interface Props {
  table: Schemas["TableOut"];
  columns: boolean;
  steps: Followed;
  /** The column whose way is lit. */
  lit: string | undefined;
  onShow: (shown: Shown) => void;
}

export function Lineage({ table, columns, steps, lit, onShow }: Props) {
  const found = useQuery({
    queryKey: ["tables", table.id, "lineage", steps],
    queryFn: () =>
      take(
        api.GET("/api/v1/tables/{table_id}/lineage", {
          params: { path: { table_id: table.id }, query: { up: steps, down: steps } },
        }),
      ),
    placeholderData: keepPreviousData,
  });
  if (found.error) return <Told error={found.error} />;
  if (!found.data) return <Skeleton height={420} />;
  const lineage = found.data;
  if (lineage.flows.length === 0) {
    return (
      <Center py="xl">
        <Empty icon={IconRoute} title="No way of its data that you may see is known yet">
          Once a pipeline that you may see has read or written it through a query, its tables and columns are drawn
          here. <InTheFlow table={table} />
        </Empty>
      </Center>
    );
  }
  const light = (column: string | undefined) => onShow({ lit: column });
  const graph = columns ? byColumn(lineage, table.id, lit, light) : byTable(lineage, table.id);
  return (
    <Stack>
      <Group>
        <SegmentedControl
          aria-label="What is drawn"
          value={columns ? "columns" : "tables"}
          onChange={(value) => onShow({ columns: value === "columns" || undefined, lit: undefined })}
          data={[
            { value: "tables", label: "Tables" },
            { value: "columns", label: "Columns" },
          ]}
        />
        <Select
          aria-label="How far it is followed"
          allowDeselect={false}
          value={`${steps}`}
          onChange={(value) => onShow({ steps: FOLLOWED.find((one) => `${one}` === value) })}
          data={FOLLOWED.map((one) => ({
            value: `${one}`,
            label: one === 1 ? "One step up and down" : `${one} steps up and down`,
          }))}
          w={220}
        />
        {columns && (
          <Text size="sm" c="dimmed">
            Choose a column to light its way.
          </Text>
        )}
        <InTheFlow table={table} />
      </Group>
      <Graph {...graph} label={`Lineage of ${table.full_name}`} height={480} />
      {columns && lit && <Way lineage={lineage} lit={lit} />}
    </Stack>
  );
}

/** Where sources and destinations are drawn too, and what has not run yet. */
function InTheFlow({ table }: { table: Schemas["TableOut"] }) {
  return (
    <TextLink to="/flow" search={{ around: table.id }} size="sm">
      With its sources and destinations, in the flow
    </TextLink>
  );
}

/** The same in words, for whoever does not see the lines. */
function Way({ lineage, lit }: { lineage: LineageOf; lit: string }) {
  const { up, down } = wayOf(stepsOf(lineage), lit);
  if (up.size + down.size === 0) return null;
  const said = (step: Step) =>
    `${columnInWords(lineage, step.from)} goes into ${columnInWords(lineage, step.to)}, through ${step.through}`;
  return (
    <Paper withBorder p="md" role="status">
      <Text fw={600}>The way of {columnInWords(lineage, lit)}</Text>
      <List size="sm" mt="xs">
        {[...up]
          .toReversed()
          .concat([...down])
          .map((step) => (
            <List.Item key={`${step.from} ${step.to} ${step.through}`}>{said(step)}</List.Item>
          ))}
      </List>
    </Paper>
  );
}
