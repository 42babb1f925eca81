/** Pipelines and saved queries that use a table or a volume, as far as one may see them. */
import { Center, Paper, Skeleton, Table } from "@mantine/core";
import { IconRoute } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { Empty } from "../components/Empty";
import { Told } from "../components/Told";
import { KindLink } from "./KindLink";

export type Dependent = Schemas["DependentOut"];

interface Thing {
  type: "table" | "volume";
  id: string;
}

const READ = {
  table: (table_id: string) => take(api.GET("/api/v1/tables/{table_id}/used-by", { params: { path: { table_id } } })),
  volume: (volume_id: string) =>
    take(api.GET("/api/v1/volumes/{volume_id}/used-by", { params: { path: { volume_id } } })),
};

export function useUsedBy(thing: Thing, enabled = true) {
  return useQuery({
    queryKey: [`${thing.type}s`, thing.id, "used-by"],
    queryFn: () => READ[thing.type](thing.id),
    enabled,
  });
}

export function UsedBy({ thing }: { thing: Thing }) {
  const used = useUsedBy(thing);
  if (used.error) return <Told error={used.error} />;
  if (!used.data) return <Skeleton height={120} />;
  if (used.data.items.length === 0) {
    return (
      <Center py="xl">
        <Empty icon={IconRoute} title="Nothing that you may see uses it">
          Pipelines and shared queries that read or write it appear here.
        </Empty>
      </Center>
    );
  }
  return (
    <Paper withBorder style={{ overflowX: "auto" }}>
      <Dependents items={used.data.items} />
    </Paper>
  );
}

export function Dependents({ items }: { items: readonly Dependent[] }) {
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>What it is</Table.Th>
          <Table.Th>What it does</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {items.map((one) => (
          <Table.Tr key={`${one.id} ${one.how}`}>
            <Table.Td>
              <KindLink {...one} />
            </Table.Td>
            <Table.Td>{one.kind}</Table.Td>
            <Table.Td>{one.how}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
