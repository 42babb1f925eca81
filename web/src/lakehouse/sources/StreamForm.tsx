/** A stream in full: what it reads, how, and the table it lands in. */
import { Button, Divider, Group, SegmentedControl, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, take } from "../../api/client";
import { Told } from "../../components/Told";
import { useOnce } from "../../runs/once";
import { inLines, pairsOf } from "../pipelines/pairs";
import { ColumnsPicker, OutputFields } from "../pipelines/pickers";
import { freshRead, type Source, type Stream, type StreamSettings } from "./connection";
import { ReadFields } from "./ReadFields";

const TYPES = "int, bigint, double, decimal(12,2), boolean, string, date, timestamp, binary";

export function StreamForm({ source, stream, onDone }: { source: Source; stream?: Stream; onDone: () => void }) {
  const cache = useQueryClient();
  const [name, setName] = useState(stream?.name ?? "");
  const [enabled, setEnabled] = useState(stream?.enabled ?? true);
  const [layer, setLayer] = useState(stream?.output_layer.id ?? source.output_layer?.id ?? null);
  const [table, setTable] = useState(stream?.output_name ?? "");
  const [types, setTypes] = useState(inLines(stream?.settings.types ?? {}));
  const [settings, setSettings] = useState<StreamSettings>(
    stream?.settings ?? {
      read: freshRead(source.connection.type),
      mode: "full",
      cursor_column: null,
      primary_key: [],
      only_columns: null,
      types: {},
    },
  );
  const set = (part: Partial<StreamSettings>) => setSettings({ ...settings, ...part });
  const save = useMutation({
    mutationFn: () => {
      const said = { enabled, output_layer_id: layer, output_name: table || null };
      const full = { ...settings, types: pairsOf(types) };
      if (stream) {
        const params = {
          path: { pipeline_id: source.id, stream_id: stream.id },
          header: { "If-Match": `"${stream.version}"` },
        };
        const body = { ...said, settings: full };
        return take(api.PATCH("/api/v1/sources/{pipeline_id}/streams/{stream_id}", { params, body }));
      }
      const params = { path: { pipeline_id: source.id } };
      return take(
        api.POST("/api/v1/sources/{pipeline_id}/streams", { params, body: { ...said, name, settings: full } }),
      );
    },
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ["sources", source.id] });
      onDone();
    },
  });
  const saveOnce = useOnce(save);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saveOnce();
  };
  const columns = stream?.columns?.map((column) => column.name) ?? [];
  return (
    <form onSubmit={submit}>
      <Stack>
        {!stream && (
          <TextInput
            label="Name"
            name="name"
            description="What it is called at the source."
            placeholder="orders"
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <ReadFields read={settings.read} onChange={(read) => set({ read })} />
        <Divider />
        <div>
          <Text size="sm" fw={500} mb={4}>
            How it is read
          </Text>
          <SegmentedControl
            aria-label="How it is read"
            value={settings.mode}
            onChange={(mode) => set({ mode: mode as StreamSettings["mode"] })}
            data={[
              { value: "full", label: "In full, each time" },
              { value: "incremental", label: "Only what is new" },
            ]}
          />
        </div>
        {settings.mode === "incremental" && (
          <TextInput
            label="By which column"
            name="cursor_column"
            description="One that grows: a number, or when a row was changed. Files are told apart without one."
            required={settings.read.type !== "files"}
            value={settings.cursor_column ?? ""}
            onChange={(event) => set({ cursor_column: event.currentTarget.value || null })}
          />
        )}
        <ColumnsPicker
          label="Key"
          name="primary_key"
          description="Rows with the same key replace each other; without one, rows are added."
          columns={columns}
          value={settings.primary_key}
          onChange={(primary_key) => set({ primary_key })}
        />
        <ColumnsPicker
          label="Only these columns"
          name="only_columns"
          description="All of them if this is empty."
          columns={columns}
          value={settings.only_columns ?? []}
          onChange={(only) => set({ only_columns: only.length ? only : null })}
        />
        <Textarea
          label="Types"
          name="types"
          description={`Where what was found does not fit, one to a line, such as ordered_on: date. Known: ${TYPES}.`}
          autosize
          minRows={2}
          value={types}
          onChange={(event) => setTypes(event.currentTarget.value)}
        />
        <Divider />
        <OutputFields layer={layer} onLayer={setLayer} name={table} onName={setTable} needsName={false} />
        <Group>
          <Switch
            label="Read it with every run"
            checked={enabled}
            onChange={(event) => setEnabled(event.currentTarget.checked)}
          />
        </Group>
        <Told error={save.error} />
        <Button type="submit" loading={save.isPending}>
          {stream ? "Save" : "Add the stream"}
        </Button>
      </Stack>
    </form>
  );
}
