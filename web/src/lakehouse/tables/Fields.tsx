/** The fields of a table, and what they mean. */
import { Code, Paper, Table, Text } from "@mantine/core";
import type { Schemas } from "../../api/client";

export function Fields({ table }: { table: Schemas["TableOut"] }) {
  return (
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
                {!field.nullable && (
                  <Text span size="sm" c="dimmed">
                    {" "}
                    never empty
                  </Text>
                )}
              </Table.Td>
              <Table.Td>{field.description}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
