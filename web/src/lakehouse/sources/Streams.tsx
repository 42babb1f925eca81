/** What a source reads and where it lands, and finding more to read. */
import { Button, Center, Group, Modal, Paper, Skeleton, Stack, Table, Text } from "@mantine/core";
import { IconDatabaseImport } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";
import { readsWhat, type Source, type Stream } from "./connection";
import { Discover } from "./Discover";
import { StreamActions } from "./StreamActions";
import { StreamForm } from "./StreamForm";
import { streamsOf } from "./streams";
import { TestConnection } from "./TestConnection";

export function Streams({ source }: { source: Source }) {
  const [adding, setAdding] = useState(false);
  const streams = useQuery(streamsOf(source.id));
  if (streams.error) return <Told error={streams.error} />;
  if (!streams.data) return <Skeleton height={160} />;
  const { items } = streams.data;
  const mayEdit = source.actions.includes("edit_pipelines");
  return (
    <Stack gap="lg">
      {items.length > 0 && (
        <>
          <Listed source={source} streams={items} />
          <Text size="sm" c="dimmed" maw={760}>
            When the source changes, new columns are added to the table and types are widened; anything else stops the
            stream and says so. Rows that do not fit their column are set aside in a table of their own.
          </Text>
        </>
      )}
      {items.length === 0 && !mayEdit && (
        <Center py="lg">
          <Empty icon={IconDatabaseImport} title="It reads nothing yet">
            Streams say what is read and the table it lands in.
          </Empty>
        </Center>
      )}
      {mayEdit && <Discover source={source} first={items.length === 0} />}
      <Group align="flex-start">
        <Guarded action="edit_pipelines" on={{ type: "pipeline", id: source.id }} actions={source.actions}>
          {(allowed) => (
            <Button variant="default" disabled={!allowed} onClick={() => setAdding(true)}>
              Add a stream by hand
            </Button>
          )}
        </Guarded>
        {mayEdit && <TestConnection sourceId={source.id} />}
      </Group>
      <Modal opened={adding} onClose={() => setAdding(false)} title="Add a stream" size="lg">
        <StreamForm source={source} onDone={() => setAdding(false)} />
      </Modal>
    </Stack>
  );
}

function Listed({ source, streams }: { source: Source; streams: readonly Stream[] }) {
  return (
    <Paper withBorder style={{ overflowX: "auto" }}>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Stream</Table.Th>
            <Table.Th>How</Table.Th>
            <Table.Th>Lands in</Table.Th>
            <Table.Th>Has read up to</Table.Th>
            <Table.Th ta="right">Actions</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {streams.map((stream) => (
            <Table.Tr key={stream.id}>
              <Table.Td>
                <Text fw={600} size="sm" c={stream.enabled ? undefined : "dimmed"}>
                  {stream.name}
                  {!stream.enabled && " (off)"}
                </Text>
                <Text size="xs" c="dimmed">
                  {readsWhat(stream.settings.read)}
                </Text>
              </Table.Td>
              <Table.Td>{how(stream)}</Table.Td>
              <Table.Td>
                <Lands stream={stream} />
              </Table.Td>
              <Table.Td>{stream.starts_over ? "the next run starts over" : (stream.cursor ?? "–")}</Table.Td>
              <Table.Td>
                <StreamActions source={source} stream={stream} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** “only what is new, by updated_at”. */
function how({ settings }: Stream): string {
  if (settings.mode === "full") return "in full";
  const by = settings.cursor_column ? `, by ${settings.cursor_column}` : "";
  const key = settings.primary_key.length > 0 ? `; key ${settings.primary_key.join(", ")}` : "";
  return `only what is new${by}${key}`;
}

function Lands({ stream }: { stream: Stream }) {
  const name = `${stream.output_layer.name}.${stream.output_name}`;
  return (
    <>
      {stream.output_table_id ? (
        <TextLink to="/tables/$tableId" params={{ tableId: stream.output_table_id }} size="sm">
          {name}
        </TextLink>
      ) : (
        <Text size="sm">{name} (made by its first run)</Text>
      )}
      {stream.rejects_table_id && (
        <div>
          <TextLink to="/tables/$tableId" params={{ tableId: stream.rejects_table_id }} size="xs">
            rows set aside
          </TextLink>
        </div>
      )}
    </>
  );
}
