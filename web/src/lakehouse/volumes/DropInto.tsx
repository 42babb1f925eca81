/** Files dropped into a folder of a volume: what is there already is replaced only when that is said. */
import { Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Schemas } from "../../api/client";
import { Told } from "../../components/Told";
import { DropPlace } from "./DropPlace";
import type { Dropped } from "./dropped";
import { alreadyThere } from "./there";
import type { Uploads } from "./useUploads";

interface Props {
  volume: Schemas["VolumeOut"];
  folder: string;
  uploads: Uploads;
  onDropped?: (files: readonly Dropped[]) => void;
  children: ReactNode;
}

export function DropInto({ volume, folder, uploads, onDropped, children }: Props) {
  const sendAll = useMutation({
    mutationFn: async (files: Dropped[]) => {
      onDropped?.(files);
      const to = files.map(({ path, file }) => ({ path: folder ? `${folder}/${path}` : path, file, overwrite: false }));
      const there = await alreadyThere(volume.id, to);
      uploads.add(to.filter((one) => !there.has(one.path)));
      if (there.size > 0)
        askToReplace([...there], () => {
          uploads.add(to.filter((one) => there.has(one.path)).map((one) => ({ ...one, overwrite: true })));
        });
    },
  });
  return (
    <>
      <Told error={sendAll.error} />
      <DropPlace onFiles={sendAll.mutate} into={folder || volume.full_name}>
        {children}
      </DropPlace>
    </>
  );
}

function askToReplace(paths: readonly string[], act: () => void): void {
  const named = paths.slice(0, 10).join(", ");
  const more = paths.length > 10 ? ` and ${paths.length - 10} more` : "";
  modals.openConfirmModal({
    title: paths.length === 1 ? "Replace a file?" : `Replace ${paths.length} files?`,
    children: (
      <Text size="sm">
        There is already {named}
        {more}. What is in there now is lost.
      </Text>
    ),
    labels: { confirm: paths.length === 1 ? "Replace it" : "Replace them", cancel: "Keep what is there" },
    confirmProps: { color: "#c92a2a" },
    onConfirm: act,
  });
}
