/** One table: what it holds, what its fields mean, and how one reaches it. */
import { Code, Group, Paper, Skeleton, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../api/client";
import { Fact } from "../components/Fact";
import { Moment } from "../components/Moment";
import { counted, sized } from "../components/numbers";
import { Page } from "../components/Page";
import { Told } from "../components/Told";
import { Describe } from "./Describe";
import { Level } from "./Level";

const route = getRouteApi("/inside/tables/$tableId");

export function TablePage() {
  const { tableId } = route.useParams();
  const found = useQuery({
    queryKey: ["tables", tableId],
    queryFn: () => take(api.GET("/api/v1/tables/{table_id}", { params: { path: { table_id: tableId } } })),
  });
  if (found.error) return <Told error={found.error} />;
  if (!found.data) return <Skeleton height={220} />;
  const table = found.data;
  return (
    <Page title={table.full_name} about={table.description} actions={<Describe table={table} />}>
      <Group gap="xl">
        <Fact name="Rows">{counted(table.rows)}</Fact>
        <Fact name="Size">{sized(table.bytes)}</Fact>
        <Fact name="Changed">
          <Moment at={table.changed_at} />
        </Fact>
        <Fact name="Your level">
          <Level on={table} />
        </Fact>
      </Group>
      <Paper withBorder style={{ overflowX: "auto" }}>
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Type</Table.Th>
              <Table.Th>Description</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {table.fields.map((field) => (
              <Table.Tr key={field.name}>
                <Table.Td fw={600}>{field.name}</Table.Td>
                <Table.Td>
                  <Code>{field.type}</Code>
                </Table.Td>
                <Table.Td>{field.description}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </Page>
  );
}
