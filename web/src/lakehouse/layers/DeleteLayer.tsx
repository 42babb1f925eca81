/** Deleting a layer, once nothing lies in it. */
import { Button, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schemas } from "../../api/client";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";

export function DeleteLayer({ layer }: { layer: Schemas["LayerOut"] }) {
  const [opened, setOpened] = useState(false);
  const cache = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () =>
      api.DELETE("/api/v1/layers/{layer_id}", {
        params: { path: { layer_id: layer.id }, header: { "If-Match": `"${layer.version}"` } },
      }),
    onSuccess: async () => {
      await navigate({ to: "/layers" });
      cache.removeQueries({ queryKey: ["layers", layer.id] });
      await cache.invalidateQueries({ queryKey: ["layers"] });
    },
  });
  const close = () => {
    setOpened(false);
    remove.reset();
  };
  return (
    <>
      <Guarded action="delete_the_resource" on={{ type: "layer", id: layer.id }} actions={layer.actions}>
        {(allowed) => (
          <Button variant="default" disabled={!allowed} onClick={() => setOpened(true)}>
            Delete
          </Button>
        )}
      </Guarded>
      <Modal opened={opened} onClose={close} title={`Delete the layer ${layer.name}?`}>
        <Stack>
          <Text size="sm">
            Only a layer in which nothing lies is deleted. The levels that were given on it go with it, and it cannot be
            brought back.
          </Text>
          <Told error={remove.error} />
          <Button color="#c92a2a" loading={remove.isPending} onClick={() => remove.mutate()}>
            Delete {layer.name}
          </Button>
        </Stack>
      </Modal>
    </>
  );
}
