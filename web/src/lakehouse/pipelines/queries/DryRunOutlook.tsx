/** What a statement would read and write, and whether one may save it. */
import { Alert, Badge, Code, Group, List, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { TextLink } from "../../../components/links";
import type { DryRun } from "./statement";

export function DryRunOutlook({ dry }: { dry: DryRun }) {
  return (
    <Paper withBorder p="lg" component="section" aria-label="Dry run">
      <Stack>
        <Title order={2} size="h4">
          Dry run
        </Title>
        {dry.problem && (
          <Alert color="red" variant="light" title={dry.problem.message}>
            {dry.problem.fix}
          </Alert>
        )}
        {!dry.problem && (
          <Text>
            {dry.allowed ? "You may save it." : "You may not save it."} It writes <b>{dry.output.name}</b>,{" "}
            {dry.output.exists ? "which is there" : "which its first run makes"}.
          </Text>
        )}
        <Inputs dry={dry} />
        {dry.changes.length > 0 && (
          <List size="sm">
            {dry.changes.map((change) => (
              <List.Item key={change}>{change}</List.Item>
            ))}
          </List>
        )}
        <Group gap="xs">
          {dry.columns.map((column) => (
            <Code key={column.name}>
              {column.name} {column.type}
            </Code>
          ))}
        </Group>
      </Stack>
    </Paper>
  );
}

function Inputs({ dry }: { dry: DryRun }) {
  if (dry.inputs.length === 0) return <Text size="sm">It reads no table.</Text>;
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>It reads</Table.Th>
          <Table.Th>Your level</Table.Th>
          <Table.Th>It takes</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {dry.inputs.map((table) => (
          <Table.Tr key={table.id}>
            <Table.Td>
              <TextLink to="/tables/$tableId" params={{ tableId: table.id }} size="sm">
                {table.name}
              </TextLink>
            </Table.Td>
            <Table.Td>{table.level === "none" ? "by your role, or none" : table.level}</Table.Td>
            <Table.Td>
              <Badge variant="light" tt="none">
                {table.needs}
              </Badge>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
