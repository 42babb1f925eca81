/** Where a run took data from and to, by column; only the latest run of its pipeline tells. */
import { Code, Group, Paper, Table, Text } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { TextLink } from "../components/links";
import { Section } from "./Section";

type Edge = Schemas["EdgeOut"];

/** Edges by what they lead to: “trusted.sales, amount” has all that it is made of. */
export function byTarget(edges: readonly Edge[]): { table: string | null; column: string | null; from: Edge[] }[] {
  const groups = Map.groupBy(edges, (edge) => `${edge.to_table_id ?? ""}\n${edge.to_column ?? ""}`);
  return [...groups.values()].map((from) => ({
    table: from[0]?.to_table_id ?? null,
    column: from[0]?.to_column ?? null,
    from,
  }));
}

export function RunLineage({ runId }: { runId: string }) {
  const lineage = useQuery({
    queryKey: ["runs", runId, "lineage"],
    queryFn: () => take(api.GET("/api/v1/runs/{run_id}/lineage", { params: { path: { run_id: runId } } })),
  });
  const edges = lineage.data?.items ?? [];
  const ids = [...new Set(edges.flatMap((edge) => [edge.from_table_id, edge.to_table_id]))].filter((id) => id !== null);
  const tables = useQueries({
    queries: ids.map((id) => ({
      queryKey: ["tables", id],
      queryFn: () => take(api.GET("/api/v1/tables/{table_id}", { params: { path: { table_id: id } } })),
    })),
  });
  const names = new Map(tables.flatMap(({ data }) => (data ? [[data.id, data.full_name] as const] : [])));
  if (edges.length === 0) return null;
  return (
    <Section title="Lineage">
      <Paper withBorder style={{ overflowX: "auto" }}>
        <Table horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Written</Table.Th>
              <Table.Th>Made of</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {byTarget(edges).map(({ table, column, from }) => (
              <Table.Tr key={`${table} ${column}`}>
                <Table.Td>
                  <End table={table} column={column} names={names} outside="the destination" />
                </Table.Td>
                <Table.Td>
                  <Group gap="md">
                    {from.map((edge) => (
                      <End
                        key={`${edge.from_table_id} ${edge.from_column}`}
                        table={edge.from_table_id}
                        column={edge.from_column}
                        names={names}
                        outside="the source"
                      />
                    ))}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      {(lineage.data?.hidden ?? 0) > 0 && (
        <Text size="sm" c="dimmed">
          And {lineage.data?.hidden} more, from or to tables you may not see.
        </Text>
      )}
    </Section>
  );
}

interface EndProps {
  table: string | null;
  column: string | null;
  names: ReadonlyMap<string, string>;
  outside: string;
}

function End({ table, column, names, outside }: EndProps) {
  return (
    <Group gap={6} wrap="nowrap">
      {table === null ? (
        <Text size="sm" c="dimmed">
          {outside}
        </Text>
      ) : (
        <TextLink to="/tables/$tableId" params={{ tableId: table }} size="sm">
          {names.get(table) ?? "…"}
        </TextLink>
      )}
      {column && <Code>{column}</Code>}
    </Group>
  );
}
