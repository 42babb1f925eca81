/** One layer: what lies in it, how it is kept in order, and who reaches it. */
import { Button, Group, Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { History } from "../../audit/History";
import { Fact } from "../../components/Fact";
import { Moment } from "../../components/Moment";
import { Page } from "../../components/Page";
import { type Part, Parts } from "../../components/Parts";
import { Facts, ResourcePage } from "../../components/ResourcePage";
import { SharePanel } from "../../components/SharePanel";
import { Guarded } from "../../components/Why";
import { Access } from "../Access";
import { useMayCreateLayers } from "../allowed";
import { Level } from "../Level";
import type { LayerPart } from "../parts";
import { NewTable } from "../tables/NewTable";
import { TableList } from "../tables/TableList";
import { NewVolume } from "../volumes/NewVolume";
import { VolumeList } from "../volumes/VolumeList";
import { DeleteLayer } from "./DeleteLayer";
import { LayerForm, type Said } from "./LayerForm";
import { Maintenance } from "./Maintenance";

type Layer = Schemas["LayerOut"];

const route = getRouteApi("/inside/layers/$layerId");

export function LayerPage() {
  const { layerId } = route.useParams();
  return (
    <ResourcePage
      query={{
        queryKey: ["layers", layerId],
        queryFn: () => take(api.GET("/api/v1/layers/{layer_id}", { params: { path: { layer_id: layerId } } })),
      }}
    >
      {(layer) => <Shown layer={layer} />}
    </ResourcePage>
  );
}

function Shown({ layer }: { layer: Layer }) {
  const { part } = route.useSearch();
  const navigate = route.useNavigate();
  const parts: Part<LayerPart>[] = [
    {
      name: "tables",
      label: "Tables",
      show: () => <TableList layer={layer.id} filters={<NewTable layer={layer.id} />} />,
    },
    {
      name: "volumes",
      label: "Volumes",
      show: () => <VolumeList layer={layer.id} filters={<NewVolume layer={layer.id} />} />,
    },
    { name: "maintenance", label: "Maintenance", show: () => <Maintenance layer={layer} /> },
    { name: "access", label: "Access", show: () => <Access on={{ type: "layer", id: layer.id }} /> },
    { name: "history", label: "History", show: () => <History type="layer" id={layer.id} /> },
  ];
  return (
    <Page title={layer.name} about={layer.description} actions={<Actions layer={layer} />}>
      <Facts>
        <Fact name="Your level">
          <Level on={layer} />
        </Fact>
        <Fact name="Made">
          <Moment at={layer.created_at} />
        </Fact>
      </Facts>
      <Parts parts={parts} shown={part} onShow={(name) => navigate({ search: { part: name } })} />
    </Page>
  );
}

function Actions({ layer }: { layer: Layer }) {
  return (
    <Group justify="flex-end">
      <SharePanel on={{ type: "layer", id: layer.id, name: layer.name }} actions={layer.actions} />
      <Edit key={layer.version} layer={layer} />
      <DeleteLayer layer={layer} />
    </Group>
  );
}

function Edit({ layer }: { layer: Layer }) {
  const [opened, setOpened] = useState(false);
  const mayRename = useMayCreateLayers();
  const cache = useQueryClient();
  const save = useMutation({
    mutationFn: ({ name, description }: Said) =>
      take(
        api.PATCH("/api/v1/layers/{layer_id}", {
          params: { path: { layer_id: layer.id }, header: { "If-Match": `"${layer.version}"` } },
          body: name === layer.name ? { description } : { name, description },
        }),
      ),
    onSuccess: async (now) => {
      setOpened(false);
      cache.setQueryData(["layers", layer.id], now);
      await cache.invalidateQueries({ queryKey: ["layers"], refetchType: "none" });
      await cache.invalidateQueries({ queryKey: ["tables"] });
      notifications.show({ message: "The layer is saved." });
    },
  });
  return (
    <>
      <Guarded action="change_descriptions" on={{ type: "layer", id: layer.id }} actions={layer.actions}>
        {(allowed) => (
          <Button variant="default" disabled={!allowed} onClick={() => setOpened(true)}>
            Edit
          </Button>
        )}
      </Guarded>
      <Modal opened={opened} onClose={() => setOpened(false)} title={`Edit ${layer.name}`}>
        <LayerForm
          said={layer}
          mayRename={mayRename}
          done="Save"
          saving={save.isPending}
          error={save.error}
          onSave={save.mutate}
        />
      </Modal>
    </>
  );
}
