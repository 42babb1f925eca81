/** A new volume in a layer, for those who may make one there. */
import { Button, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, take } from "../../api/client";
import { Told } from "../../components/Told";
import { LayerToMakeIn, useLayersToMakeIn } from "../LayerToMakeIn";

/** There is nothing to press where there is no layer to make one in. */
export function NewVolume({ layer }: { layer?: string }) {
  const [opened, setOpened] = useState(false);
  if (useLayersToMakeIn(layer).length === 0) return null;
  return (
    <>
      <Button onClick={() => setOpened(true)}>New volume</Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="New volume">
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
  const cache = useQueryClient();
  const navigate = useNavigate();
  const make = useMutation({
    mutationFn: () => take(api.POST("/api/v1/volumes", { body: { layer: where ?? "", name, description } })),
    onSuccess: async (made) => {
      await cache.invalidateQueries({ queryKey: ["volumes"] });
      await navigate({ to: "/volumes/$volumeId", params: { volumeId: made.id } });
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
          description="Small letters, digits and underscores."
          placeholder="uploads"
          required
          data-autofocus
          pattern="[a-z][a-z0-9_]{0,62}"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label="What lies in it"
          autosize
          maxLength={2000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Told error={make.error} />
        <Button type="submit" loading={make.isPending}>
          Create the volume
        </Button>
      </Stack>
    </form>
  );
}
