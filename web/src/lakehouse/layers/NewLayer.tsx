/** A new layer, for those who may make one. */
import { Button, Modal } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../../api/client";
import { useMayCreateLayers } from "../allowed";
import { LayerForm, type Said } from "./LayerForm";

export function NewLayer() {
  const [opened, setOpened] = useState(false);
  const cache = useQueryClient();
  const navigate = useNavigate();
  const make = useMutation({
    mutationFn: (body: Said) => take(api.POST("/api/v1/layers", { body })),
    onSuccess: async (layer) => {
      await cache.invalidateQueries({ queryKey: ["layers"] });
      await navigate({ to: "/layers/$layerId", params: { layerId: layer.id } });
    },
  });
  if (!useMayCreateLayers()) return null;
  return (
    <>
      <Button onClick={() => setOpened(true)}>New layer</Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title="New layer">
        <LayerForm
          said={{ name: "", description: "" }}
          mayRename
          done="Create the layer"
          saving={make.isPending}
          error={make.error}
          onSave={make.mutate}
        />
      </Modal>
    </>
  );
}
