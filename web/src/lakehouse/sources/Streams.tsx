/** What a source reads and where it lands, and finding more to read. */
import { Button, Center, Group, Modal, Skeleton, Stack, Text } from "@mantine/core";
import { IconDatabaseImport } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { useListed } from "../../components/narrowing";
import { type Column, ResourceList } from "../../components/ResourceList";
import { BY_NAME, type ByName } from "../../components/sorting";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";
import { readsWhat, type Source, type Stream } from "./connection";
import { Discover } from "./Discover";
import { StreamActions } from "./StreamActions";
import { StreamForm } from "./StreamForm";
import { hasStream } from "./streams";
import { TestConnection } from "./TestConnection";

export function Streams({ source }: { source: Source }) {
  const [adding, setAdding] = useState(false);
  const any = useQuery(hasStream(source.id));
  if (any.error) return <Told error={any.error} />;
  if (any.data === undefined) return <Skeleton height={160} />;
  const mayEdit = source.actions.includes("edit_pipelines");
  return (
    <Stack gap="lg">
      {any.data && (
        <>
          <Listed source={source} />
          <Text size="sm" c="dimmed" maw={760}>
            When the source changes, new columns are added to the table and types are widened; anything else stops the
            stream and says so. Rows that do not fit their column are set aside in a table of their own.
          </Text>
        </>
      )}
      {!any.data && !mayEdit && (
        <Center py="lg">
          <Empty icon={IconDatabaseImport} title="It reads nothing yet">
            Streams say what is read and the table it lands in.
          </Empty>
        </Center>
      )}
      {mayEdit && <Discover source={source} first={!any.data} />}
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

function Listed({ source }: { source: Source }) {
  const columns: Column<Stream, ByName>[] = [
    {
      name: "Stream",
      sort: "name",
      cell: (stream) => (
        <>
          <Text fw={600} size="sm" c={stream.enabled ? undefined : "dimmed"}>
            {stream.name}
            {!stream.enabled && " (off)"}
          </Text>
          <Text size="xs" c="dimmed">
            {readsWhat(stream.settings.read)}
          </Text>
        </>
      ),
    },
    { name: "How", cell: how },
    { name: "Lands in", cell: (stream) => <Lands stream={stream} /> },
    {
      name: "Has read up to",
      cell: (stream) => (stream.starts_over ? "the next run starts over" : (stream.cursor ?? "–")),
    },
    { name: "Actions", align: "right", cell: (stream) => <StreamActions source={source} stream={stream} /> },
  ];
  return (
    <ResourceList
      of={["sources", source.id, "streams"]}
      read={(query) =>
        take(api.GET("/api/v1/sources/{pipeline_id}/streams", { params: { path: { pipeline_id: source.id }, query } }))
      }
      columns={columns}
      {...useListed(BY_NAME, "Find a stream")}
      empty={null}
    />
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
