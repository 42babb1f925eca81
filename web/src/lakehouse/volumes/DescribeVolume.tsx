/** Saying what a volume holds. */
import { Button, Modal, Stack, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";

type Volume = Schemas["VolumeOut"];

export function DescribeVolume({ volume }: { volume: Volume }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Guarded action="change_descriptions" on={{ type: "volume", id: volume.id }} actions={volume.actions}>
        {(allowed) => (
          <Button variant="default" disabled={!allowed} onClick={() => setOpened(true)}>
            Describe
          </Button>
        )}
      </Guarded>
      <Modal opened={opened} onClose={() => setOpened(false)} title={`Describe ${volume.full_name}`}>
        <Form volume={volume} onDone={() => setOpened(false)} />
      </Modal>
    </>
  );
}

function Form({ volume, onDone }: { volume: Volume; onDone: () => void }) {
  const [description, setDescription] = useState(volume.description);
  const cache = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      take(
        api.PATCH("/api/v1/volumes/{volume_id}", {
          params: { path: { volume_id: volume.id }, header: { "If-Match": `"${volume.version}"` } },
          body: { description },
        }),
      ),
    onSuccess: async (now) => {
      cache.setQueryData(["volumes", volume.id], now);
      await cache.invalidateQueries({ queryKey: ["volumes"], refetchType: "none" });
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
        <Textarea
          label="What lies in it"
          autosize
          minRows={2}
          maxLength={2000}
          data-autofocus
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <Told error={save.error} />
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
      </Stack>
    </form>
  );
}
