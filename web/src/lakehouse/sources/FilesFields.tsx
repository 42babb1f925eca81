/** Where files lie, and how they are written. */
import { Group, SegmentedControl, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { VolumePicker } from "../pipelines/pickers";
import { NewVolume } from "../volumes/NewVolume";
import type { Connection } from "./connection";
import { FilesThere } from "./FilesThere";

type Files = Extract<Connection, { type: "files" }>;

interface Props {
  connection: Files;
  onChange: (connection: Connection) => void;
}

export function FilesFields({ connection, onChange }: Props) {
  const [place, setPlace] = useState(connection.folder ? "folder" : "volume");
  const set = (part: Partial<Files>) => onChange({ ...connection, ...part });
  const choose = (where: string) => {
    setPlace(where);
    set(where === "folder" ? { volume_id: null } : { folder: null });
  };
  return (
    <Stack>
      <div>
        <Text size="sm" fw={500} mb={4}>
          Where the files lie
        </Text>
        <SegmentedControl
          aria-label="Where the files lie"
          value={place}
          onChange={choose}
          data={[
            { value: "volume", label: "In a volume" },
            { value: "folder", label: "In a folder of the server" },
          ]}
        />
      </div>
      {place === "volume" ? (
        <>
          <Group align="flex-end" wrap="nowrap">
            <VolumePicker
              label="Volume"
              description="Choose one that holds the files, or where you put them now."
              required
              value={connection.volume_id ?? null}
              onChange={(volume_id) => set({ volume_id })}
            />
            <NewVolume onMade={(volume) => set({ volume_id: volume.id })} />
          </Group>
          {connection.volume_id && (
            <FilesThere
              key={connection.volume_id}
              volumeId={connection.volume_id}
              onFormat={(format) => set({ format })}
            />
          )}
        </>
      ) : (
        <TextInput
          label="Folder"
          name="folder"
          description="One that the server's setting source_folders allows."
          placeholder="/data/incoming"
          required
          value={connection.folder ?? ""}
          onChange={(event) => set({ folder: event.currentTarget.value || null })}
        />
      )}
      <Select
        label="Format"
        data={[
          { value: "csv", label: "CSV" },
          { value: "json_lines", label: "JSON lines: one object to a line" },
          { value: "parquet", label: "Parquet" },
          { value: "excel", label: "Excel" },
        ]}
        value={connection.format}
        onChange={(value) => set({ format: (value ?? "csv") as Files["format"] })}
        allowDeselect={false}
      />
      {connection.format === "csv" && <CsvFields connection={connection} set={set} />}
      {connection.format === "excel" && (
        <TextInput
          label="Sheet"
          name="sheet"
          description="Of each workbook; its first one if this is empty."
          value={connection.sheet ?? ""}
          onChange={(event) => set({ sheet: event.currentTarget.value || null })}
        />
      )}
      {(connection.format === "csv" || connection.format === "excel") && (
        <Switch
          label="The first line has the names of the columns"
          checked={connection.header}
          onChange={(event) => set({ header: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}

function CsvFields({ connection, set }: { connection: Files; set: (part: Partial<Files>) => void }) {
  return (
    <Group grow align="flex-start">
      <TextInput
        label="Separator"
        name="delimiter"
        description="The character between two values."
        maxLength={1}
        required
        value={connection.delimiter}
        onChange={(event) => set({ delimiter: event.currentTarget.value })}
      />
      <TextInput
        label="Quote"
        name="quote"
        description="The character around texts."
        maxLength={1}
        required
        value={connection.quote}
        onChange={(event) => set({ quote: event.currentTarget.value })}
      />
      <Select
        label="Encoding"
        description="utf-8 mostly."
        data={["utf-8", "iso-8859-1", "windows-1252", "utf-16"]}
        value={connection.encoding}
        onChange={(value) => set({ encoding: (value ?? "utf-8") as Files["encoding"] })}
        allowDeselect={false}
      />
    </Group>
  );
}
