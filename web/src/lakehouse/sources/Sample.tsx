/** A few rows of what was found, with the types of its columns. */
import { ScrollArea, Table, Text } from "@mantine/core";
import type { Found } from "./look";

export function Sample({ found }: { found: Found }) {
  if (found.columns.length === 0) return null;
  const rows = found.sample.map((row, place) => ({ place, row }));
  const shown = (value: unknown) =>
    value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return (
    <ScrollArea.Autosize
      mah={220}
      type="auto"
      viewportProps={{ tabIndex: 0, role: "region", "aria-label": `Rows of ${found.name}` }}
    >
      <Table fz="xs" withColumnBorders>
        <Table.Thead>
          <Table.Tr>
            {found.columns.map((column) => (
              <Table.Th key={column.name} style={{ whiteSpace: "nowrap" }}>
                {column.name}
                <Text size="xs" c="dimmed">
                  {column.type}
                </Text>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ place, row }) => (
            <Table.Tr key={place}>
              {found.columns.map((column) => (
                <Table.Td key={column.name} style={{ whiteSpace: "nowrap" }}>
                  {shown(row[column.name])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
