/** Volumes that one may see, of all layers or of one. */
import { IconFolders } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { Moment } from "../../components/Moment";
import { type Column, ResourceList } from "../../components/ResourceList";
import { Level } from "../Level";

const COLUMNS: Column<Schemas["VolumeOut"]>[] = [
  {
    name: "Volume",
    cell: (volume) => (
      <TextLink to="/volumes/$volumeId" params={{ volumeId: volume.id }} fw={600}>
        {volume.full_name}
      </TextLink>
    ),
  },
  { name: "Description", cell: (volume) => volume.description },
  { name: "Made", cell: (volume) => <Moment at={volume.created_at} /> },
  { name: "Your level", cell: (volume) => <Level on={volume} /> },
];

interface Props {
  layer: string | undefined;
  search: string | undefined;
  onSearch: (search: string | undefined) => void;
  filters?: ReactNode;
}

export function VolumeList({ layer, search, onSearch, filters }: Props) {
  return (
    <ResourceList
      of={["volumes", layer]}
      read={(page) => take(api.GET("/api/v1/volumes", { params: { query: { ...page, layer } } }))}
      columns={COLUMNS}
      search={{ value: search, set: onSearch, label: "Find a volume" }}
      filters={filters}
      empty={
        <Empty icon={IconFolders} title="No volume to see yet">
          A volume holds files: those you drop there, and those that pipelines write. Sources read them into tables.
        </Empty>
      }
    />
  );
}
