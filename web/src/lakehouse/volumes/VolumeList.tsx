/** Volumes that one may see, of all layers or of one. */
import { IconFolders } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { Moment } from "../../components/Moment";
import { useListed } from "../../components/narrowing";
import { type Column, ResourceList } from "../../components/ResourceList";
import { BY_NAME, type ByName } from "../../components/sorting";
import { Level } from "../Level";

const LAYER: Column<Schemas["VolumeOut"], ByName> = { name: "Layer", cell: (volume) => volume.layer.name };
const COLUMNS: Column<Schemas["VolumeOut"], ByName>[] = [
  {
    name: "Volume",
    sort: "name",
    cell: (volume) => (
      <TextLink to="/volumes/$volumeId" params={{ volumeId: volume.id }} fw={600} aria-label={volume.full_name}>
        {volume.name}
      </TextLink>
    ),
  },
  LAYER,
  { name: "Description", cell: (volume) => volume.description },
  { name: "Made", cell: (volume) => <Moment at={volume.created_at} /> },
  { name: "Your level", cell: (volume) => <Level on={volume} /> },
];

interface Props {
  layer: string | undefined;
  filters?: ReactNode;
  unfilter?: () => void;
}

export function VolumeList({ layer, filters, unfilter }: Props) {
  return (
    <ResourceList
      of={["volumes", layer]}
      read={(page) => take(api.GET("/api/v1/volumes", { params: { query: { ...page, layer } } }))}
      columns={layer ? COLUMNS.filter((column) => column !== LAYER) : COLUMNS}
      {...useListed(BY_NAME, "Find a volume")}
      filters={filters}
      unfilter={unfilter}
      empty={
        <Empty icon={IconFolders} title="No volume to see yet">
          A volume holds files: those you drop there, and those that pipelines write. Sources read them into tables.
        </Empty>
      }
    />
  );
}
