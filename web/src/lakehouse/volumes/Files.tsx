/** The files in a folder of a volume: put there, fetched and deleted. */
import { ActionIcon, Anchor, Group, Text } from "@mantine/core";
import { IconDownload, IconFile, IconFolder, IconFolderOpen, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../api/client";
import { confirmFirst } from "../../components/confirm";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { Moment } from "../../components/Moment";
import { useListed } from "../../components/narrowing";
import { sized } from "../../components/numbers";
import { type Column, ResourceList } from "../../components/ResourceList";
import { BY_NAME } from "../../components/sorting";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";
import { viewing } from "../../tenancy/viewing";
import { DropInto } from "./DropInto";
import { FolderPath } from "./FolderPath";
import { fileAddress } from "./sending";
import type { Uploads } from "./useUploads";

type Volume = Schemas["VolumeOut"];
type Entry = Schemas["FileOut"] & { id: string };

const FILE_ORDERS = [...BY_NAME, "-changed", "changed", "-size", "size"] as const;
type FileOrder = (typeof FILE_ORDERS)[number];

interface Props {
  volume: Volume;
  folder: string;
  uploads: Uploads;
}

export function Files({ volume, folder, uploads }: Props) {
  const cache = useQueryClient();
  const listed = useListed(FILE_ORDERS, "Find a file here");
  const mayChange = volume.actions.includes("change_descriptions");
  const remove = useMutation({
    mutationFn: (path: string) =>
      api.DELETE("/api/v1/volumes/{volume_id}/files/{path}", { params: { path: { volume_id: volume.id, path } } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["volumes", volume.id, "files"] }),
  });
  const askToDelete = (entry: Entry) =>
    confirmFirst(
      `Delete ${entry.name}?`,
      `${entry.path} goes from ${volume.full_name}, and cannot be brought back.`,
      `Delete ${entry.name}`,
      () => remove.mutate(entry.path),
    );
  const columns: Column<Entry, FileOrder>[] = [
    { name: "Name", sort: "name", cell: (entry) => <Name entry={entry} volumeId={volume.id} /> },
    { name: "Size", sort: "-size", align: "right", cell: (entry) => (entry.kind === "file" ? sized(entry.bytes) : "") },
    { name: "Changed", sort: "-changed", cell: (entry) => <Moment at={entry.changed_at} /> },
    {
      name: "",
      align: "right",
      cell: (entry) =>
        entry.kind === "file" && (
          <Group gap="xs" justify="flex-end" wrap="nowrap">
            {!viewing() && (
              <ActionIcon
                component="a"
                href={fileAddress(volume.id, entry.path)}
                download={entry.name}
                variant="subtle"
                color="gray"
                aria-label={`Download ${entry.name}`}
              >
                <IconDownload size={18} />
              </ActionIcon>
            )}
            {mayChange && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Delete ${entry.name}`}
                onClick={() => askToDelete(entry)}
              >
                <IconTrash size={18} />
              </ActionIcon>
            )}
          </Group>
        ),
    },
  ];
  const list = (
    <ResourceList
      of={["volumes", volume.id, "files", folder]}
      read={async (wanted) => {
        const page = await take(
          api.GET("/api/v1/volumes/{volume_id}/files", {
            params: { path: { volume_id: volume.id }, query: { ...wanted, folder, limit: 100 } },
          }),
        );
        return { ...page, items: page.items.map((entry) => ({ ...entry, id: entry.path })) };
      }}
      columns={columns}
      {...listed}
      empty={
        <Empty icon={IconFolderOpen} title="No file is here yet">
          {mayChange
            ? "Drop some here, or let a pipeline write them. A source then reads them into a table."
            : "Editors of the volume, and pipelines, put files here."}
        </Empty>
      }
    />
  );
  return (
    <>
      {folder && <FolderPath volumeId={volume.id} name={volume.full_name} folder={folder} />}
      <Told error={remove.error} />
      {mayChange ? (
        // What was dropped is to be seen, whatever was searched for before.
        <DropInto volume={volume} folder={folder} uploads={uploads} onDropped={() => listed.search.set(undefined)}>
          {list}
        </DropInto>
      ) : (
        <>
          <Guarded action="change_descriptions" on={{ type: "volume", id: volume.id }} actions={volume.actions}>
            {() => (
              <Text size="sm" c="dimmed">
                Putting files here is for Editors.
              </Text>
            )}
          </Guarded>
          {list}
        </>
      )}
    </>
  );
}

// Whoever views as somebody sees that a file is there, and not what is in it: a link would fetch it as oneself.
function Name({ entry, volumeId }: { entry: Entry; volumeId: string }) {
  const Icon = entry.kind === "folder" ? IconFolder : IconFile;
  return (
    <Group gap="sm" wrap="nowrap">
      <Icon size={18} stroke={1.6} />
      {entry.kind === "folder" ? (
        <TextLink to="/volumes/$volumeId" params={{ volumeId }} search={{ folder: entry.path }} fw={600}>
          {entry.name}
        </TextLink>
      ) : viewing() ? (
        <Text>{entry.name}</Text>
      ) : (
        <Anchor href={fileAddress(volumeId, entry.path)} download={entry.name}>
          {entry.name}
        </Anchor>
      )}
    </Group>
  );
}
