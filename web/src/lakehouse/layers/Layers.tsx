/** Layers: where tables and volumes lie. */
import { IconStack2 } from "@tabler/icons-react";
import { api, type Schemas, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { useListed } from "../../components/narrowing";
import { Page } from "../../components/Page";
import { type Column, ResourceList } from "../../components/ResourceList";
import { BY_NAME, type ByName } from "../../components/sorting";
import { Level } from "../Level";
import { NewLayer } from "./NewLayer";

const COLUMNS: Column<Schemas["LayerOut"], ByName>[] = [
  {
    name: "Layer",
    sort: "name",
    cell: (layer) => (
      <TextLink to="/layers/$layerId" params={{ layerId: layer.id }} fw={600}>
        {layer.name}
      </TextLink>
    ),
  },
  { name: "Description", cell: (layer) => layer.description },
  { name: "Your level", cell: (layer) => <Level on={layer} /> },
];

export function Layers() {
  return (
    <Page title="Layers" about="A level on a layer counts for everything in it." actions={<NewLayer />}>
      <ResourceList
        of={["layers"]}
        read={(page) => take(api.GET("/api/v1/layers", { params: { query: page } }))}
        columns={COLUMNS}
        {...useListed(BY_NAME, "Find a layer")}
        empty={
          <Empty icon={IconStack2} title="You see no layer yet">
            A Manager of one, or a tenant owner or admin, can give you a level.
          </Empty>
        }
      />
    </Page>
  );
}
