/** A new, empty table: where, how it is called, and its columns. A run on Spark makes it. */
import { Button, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, take } from "../../api/client";
import { Told } from "../../components/Told";
import { LayerToMakeIn, useLayersToMakeIn } from "../LayerToMakeIn";
import { type Column, Columns, EMPTY } from "./Columns";

/** There is nothing to press where there is no layer to make one in. */
export function NewTable({ layer }: { layer?: string }) {
  const [opened, setOpened] = useState(false);
  if (useLayersToMakeIn(layer).length === 0) return null;
  return (
    <>
      <Button onClick={() => setOpened(true)}>New table</Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="New table" size="xl">
        <Form layer={layer} />
      </Modal>
    </>
  );
}

function Form({ layer }: { layer: string | undefined }) {
  const choices = useLayersToMakeIn(layer);
  const [where, setWhere] = useState(choices[0]?.id ?? null);
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [columns, setColumns] = useState<readonly Column[]>([{ ...EMPTY, key: 0 }]);
  const cache = useQueryClient();
  const navigate = useNavigate();
  const make = useMutation({
    mutationFn: () =>
      take(
        api.POST("/api/v1/tables", {
          params: { query: { wait: 30 } },
          body: {
            layer: where ?? "",
            name,
            description,
            columns: columns.map(({ key: _, ...column }) => column),
          },
        }),
      ),
    onSuccess: async (made) => {
      await cache.invalidateQueries({ queryKey: ["tables"] });
      if (made.table) await navigate({ to: "/tables/$tableId", params: { tableId: made.table.id } });
      else await navigate({ to: "/runs/$runId", params: { runId: made.run_id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <LayerToMakeIn choices={choices} value={where} onChange={setWhere} />
        <TextInput
          label="Name"
          description="As statements write it: small letters, digits and underscores."
          placeholder="orders"
          required
          data-autofocus
          pattern="[a-z][a-z0-9_]{0,62}"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label="What it holds"
          autosize
          maxLength={2000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Columns value={columns} onChange={setColumns} />
        <Told error={make.error} />
        <Button type="submit" loading={make.isPending}>
          Create the table
        </Button>
      </Stack>
    </form>
  );
}
