/** What one may do with a pipeline, and why not the rest: its level is that of the tables it reads and writes. */
import { Group, Paper, Stack, Table, Text, ThemeIcon } from "@mantine/core";
import { IconCheck, IconMinus } from "@tabler/icons-react";
import { Guarded } from "../../components/Why";
import type { Pipeline } from "./common";
import { action, type Kind } from "./kinds";

const SAID = [
  ["edit", "Edit it, and its triggers"],
  ["activate_or_deactivate", "Activate it, or let it rest"],
  ["trigger", "Run it"],
  ["delete", "Delete it"],
] as const;

export function Rights({ kind, pipeline }: { kind: Kind; pipeline: Pipeline }) {
  const rows = [
    ...SAID.map(([what, said]) => ({ what: action(kind, what), said })),
    { what: "see_runs", said: "See its runs" },
  ];
  return (
    <Stack>
      <Text size="sm" c="dimmed" maw={680}>
        What you may do here follows from your level on everything it reads and writes: seeing takes a level on all of
        it, changing takes Editor. Its runs have the rights of {pipeline.owner.name}, and not of whoever starts them.
      </Text>
      <Paper withBorder>
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>You may</Table.Th>
              <Table.Th w={120}>
                <span>Here</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ what, said }) => (
              <Table.Tr key={said}>
                <Table.Td>{said}</Table.Td>
                <Table.Td>
                  <Guarded action={what} on={{ type: kind.type, id: pipeline.id }} actions={pipeline.actions}>
                    {(allowed) => <Mark allowed={allowed} />}
                  </Guarded>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </Stack>
  );
}

function Mark({ allowed }: { allowed: boolean }) {
  return (
    <Group gap={6} wrap="nowrap">
      <ThemeIcon variant="light" color={allowed ? "petrol" : "gray"} size="sm" radius="xl">
        {allowed ? <IconCheck size={14} /> : <IconMinus size={14} />}
      </ThemeIcon>
      <Text size="sm">{allowed ? "yes" : "no"}</Text>
    </Group>
  );
}
