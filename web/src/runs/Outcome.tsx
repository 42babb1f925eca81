/** What came of a run: rows of each stream, what was expected and found. */
import { Badge, Paper, Table, Text } from "@mantine/core";
import type { Schemas } from "../api/client";
import { counted, howMany } from "../components/numbers";
import { type Checked, checked, inWords, type StreamDone, says, streamsDone, streamsHidden } from "./outcomes";
import { Section } from "./Section";

export function Outcome({ run }: { run: Schemas["RunDetailOut"] }) {
  const streams = streamsDone(run.result);
  const hidden = streamsHidden(run.result);
  const expectations = checked(run.result);
  const said = says(run.result);
  return (
    <>
      {said && <Text>{said}</Text>}
      {(streams.length > 0 || hidden > 0) && <Streams streams={streams} hidden={hidden} />}
      {expectations.length > 0 && <Expectations expectations={expectations} />}
    </>
  );
}

function Streams({ streams, hidden }: { streams: readonly StreamDone[]; hidden: number }) {
  return (
    <Section title="Streams">
      <Paper withBorder style={{ overflowX: "auto" }}>
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Stream</Table.Th>
              <Table.Th ta="right">Rows written</Table.Th>
              <Table.Th ta="right">Rows set aside</Table.Th>
              <Table.Th>Problem</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {streams.map((stream) => (
              <Table.Tr key={stream.name}>
                <Table.Td fw={600}>{stream.name}</Table.Td>
                <Table.Td ta="right">{counted(stream.rows_written)}</Table.Td>
                <Table.Td ta="right">{counted(stream.rows_rejected)}</Table.Td>
                <Table.Td>{stream.problem ?? "–"}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      {hidden > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {streams.length > 0 && "And "}
          {howMany(hidden, "stream")} that you may not see, or that {hidden === 1 ? "is" : "are"} gone.
        </Text>
      )}
    </Section>
  );
}

function Expectations({ expectations }: { expectations: readonly Checked[] }) {
  return (
    <Section title="Expectations">
      <Paper withBorder style={{ overflowX: "auto" }}>
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Expected</Table.Th>
              <Table.Th>Met</Table.Th>
              <Table.Th>Found</Table.Th>
              <Table.Th>Otherwise</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {expectations.map((one) => (
              <Table.Tr key={`${one.kind} ${one.column}`}>
                <Table.Td fw={600}>{inWords(one)}</Table.Td>
                <Table.Td>
                  <Badge variant="light" color={one.met ? "petrol" : "red"} tt="none">
                    {one.met ? "yes" : "no"}
                  </Badge>
                </Table.Td>
                <Table.Td>{one.found || "–"}</Table.Td>
                <Table.Td>{one.stop ? "nothing is written" : "the run warns"}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </Section>
  );
}
