/** Where a source points: shown, tested, and changed by who may. */
import { Button, Group, Modal, Paper, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, take } from "../../api/client";
import { Fact } from "../../components/Fact";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";
import { changed } from "../pipelines/common";
import { SOURCE } from "../pipelines/kinds";
import { LayerPicker } from "../pipelines/pickers";
import { secretOf } from "../pipelines/secrets";
import { ConnectionFields } from "./ConnectionFields";
import { labelOf, pointsTo, type Source } from "./connection";
import { TestConnection } from "./TestConnection";

export function ConnectionPart({ source }: { source: Source }) {
  const [editing, setEditing] = useState(false);
  const mayEdit = source.actions.includes("edit_pipelines");
  return (
    <Stack>
      <Paper withBorder p="md">
        <Group gap="xl">
          <Fact name="Kind">{labelOf(source.connection.type)}</Fact>
          <Fact name="Points to">{pointsTo(source.connection)}</Fact>
          {secretOf(source.connection) && (
            <Fact name={secretOf(source.connection) ?? ""}>
              {source.has_secret ? "kept, shown to nobody" : "missing"}
            </Fact>
          )}
        </Group>
      </Paper>
      <Group align="flex-start">
        <Guarded action="edit_pipelines" on={{ type: "pipeline", id: source.id }} actions={source.actions}>
          {(allowed) => (
            <Button variant="default" disabled={!allowed} onClick={() => setEditing(true)}>
              Edit
            </Button>
          )}
        </Guarded>
        {mayEdit && <TestConnection sourceId={source.id} />}
      </Group>
      <Modal opened={editing} onClose={() => setEditing(false)} title={`Edit ${source.name}`} size="lg">
        <EditSource source={source} onDone={() => setEditing(false)} />
      </Modal>
    </Stack>
  );
}

function EditSource({ source, onDone }: { source: Source; onDone: () => void }) {
  const [name, setName] = useState(source.name);
  const [description, setDescription] = useState(source.description);
  const [connection, setConnection] = useState(source.connection);
  const [secret, setSecret] = useState("");
  const [layer, setLayer] = useState(source.output_layer?.id ?? null);
  const save = useMutation({
    mutationFn: () =>
      take(
        api.PATCH("/api/v1/sources/{pipeline_id}", {
          params: { path: { pipeline_id: source.id }, header: { "If-Match": `"${source.version}"` } },
          body: {
            name,
            description,
            ...(connection !== source.connection ? { connection } : {}),
            ...(secret ? { secret } : {}),
            ...(layer && layer !== source.output_layer?.id ? { output_layer_id: layer } : {}),
          },
        }),
      ),
    onSuccess: async (now) => {
      await changed(SOURCE, now);
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          name="name"
          required
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label="Description"
          name="description"
          autosize
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <ConnectionFields
          connection={connection}
          onChange={setConnection}
          secret={secret}
          onSecret={setSecret}
          hasSecret={source.has_secret}
        />
        <LayerPicker
          label="Layer"
          name="output_layer_id"
          description="For streams that are added from now on."
          required
          value={layer}
          onChange={setLayer}
        />
        <Told error={save.error} />
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
      </Stack>
    </form>
  );
}
