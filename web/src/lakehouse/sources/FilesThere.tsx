/** The files that a source would find in a volume, and putting more there. */
import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../api/client";
import { BeforeLeaving } from "../volumes/BeforeLeaving";
import { DropInto } from "../volumes/DropInto";
import { UploadList } from "../volumes/UploadList";
import { useUploads } from "../volumes/useUploads";
import { formatOf } from "./connection";

const NAMED = 5;

interface Props {
  volumeId: string;
  /** The name of a file that was dropped tells how it is written. */
  onFormat: (format: NonNullable<ReturnType<typeof formatOf>>) => void;
}

export function FilesThere({ volumeId, onFormat }: Props) {
  const uploads = useUploads(volumeId);
  const path = { volume_id: volumeId };
  const volume = useQuery({
    queryKey: ["volumes", volumeId],
    queryFn: () => take(api.GET("/api/v1/volumes/{volume_id}", { params: { path } })),
  });
  const files = useQuery({
    queryKey: ["volumes", volumeId, "files", "for a source", NAMED],
    queryFn: () => take(api.GET("/api/v1/volumes/{volume_id}/files", { params: { path, query: { limit: NAMED } } })),
  });
  const guess = (name = "") => {
    const format = formatOf(name);
    if (format) onFormat(format);
  };
  if (!volume.data) return null;
  const there = files.data && <Text size="sm">{holds(files.data)}</Text>;
  if (!volume.data.actions.includes("change_descriptions")) return there;
  return (
    <Stack gap="sm">
      <DropInto volume={volume.data} folder="" uploads={uploads} onDropped={([first]) => guess(first?.path)}>
        {there}
      </DropInto>
      <UploadList {...uploads} />
      <BeforeLeaving busy={uploads.busy} />
    </Stack>
  );
}

/** “There are orders.csv, customers.csv and more.” */
function holds({ items, next_cursor }: Schemas["FilesOut"]): string {
  const [first, ...others] = items.map((entry) => entry.name);
  if (!first) return "No file is there yet.";
  if (next_cursor) return `There are ${[first, ...others].join(", ")} and more.`;
  const last = others.pop();
  return last ? `There are ${[first, ...others].join(", ")} and ${last}.` : `There is ${first}.`;
}
