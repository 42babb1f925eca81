/** Choosing what a pipeline reads and writes: layers, tables, volumes, columns. */
import { Group, Select, TagsInput } from "@mantine/core";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, take } from "../../api/client";
import { inTurn } from "../../api/turns";
import { FoundSelect } from "../../components/FoundSelect";
import { useLayers } from "../allowed";
import { NameInput } from "../NameInput";

interface Props {
  label: string;
  description?: ReactNode;
  /** How the API calls it. */
  name?: string;
  value: string | null;
  onChange: (value: string | null) => void;
  required?: boolean;
}

/** The id of a layer that one may add pipelines to. */
export function LayerPicker(props: Props) {
  const layers = useLayers().filter((layer) => layer.actions.includes("add_pipelines") || layer.id === props.value);
  return (
    <Select
      placeholder="Choose a layer"
      searchable
      data={layers.map((layer) => ({ value: layer.id, label: layer.name }))}
      nothingFoundMessage="No layer that you may add to is called so"
      {...props}
    />
  );
}

/** Tables whose name has this in it; a layer before it does not count. */
async function tablesWith(typed: string) {
  const query = { search: typed.split(".").at(-1) || undefined, limit: 20 };
  const { items } = await take(api.GET("/api/v1/tables", { params: { query } }));
  return items.map((table) => ({ value: table.id, label: table.full_name }));
}

/** The same, where several are chosen. */
export const tableChoices = (typed: string) =>
  queryOptions({
    queryKey: ["tables", "several", typed],
    queryFn: ({ signal }) => inTurn("table choices", signal, () => tablesWith(typed)),
    placeholderData: keepPreviousData,
  });

/** The id of a table; its name where it is known before anything is searched for. */
export function TablePicker({ known, ...props }: Props & { known?: { id: string; name: string } | null }) {
  return (
    <FoundSelect
      of={["tables"]}
      find={tablesWith}
      called={async (table_id) => {
        if (known?.id === table_id) return known.name;
        return (await take(api.GET("/api/v1/tables/{table_id}", { params: { path: { table_id } } }))).full_name;
      }}
      nothingFoundMessage="No table is called so"
      {...props}
    />
  );
}

/** The id of a volume. */
export function VolumePicker(props: Props) {
  return (
    <FoundSelect
      of={["volumes"]}
      find={async (search) => {
        const query = { search: search.split(".").at(-1) || undefined, limit: 20 };
        const { items } = await take(api.GET("/api/v1/volumes", { params: { query } }));
        return items.map((volume) => ({ value: volume.id, label: volume.full_name }));
      }}
      called={async (volume_id) =>
        (await take(api.GET("/api/v1/volumes/{volume_id}", { params: { path: { volume_id } } }))).full_name
      }
      nothingFoundMessage="No volume is called so"
      flex={1}
      {...props}
    />
  );
}

/** The columns of a table, as far as they are known. */
export function useColumns(tableId: string | null): string[] {
  const table = useQuery({
    queryKey: ["tables", tableId],
    queryFn: () => take(api.GET("/api/v1/tables/{table_id}", { params: { path: { table_id: tableId ?? "" } } })),
    enabled: tableId !== null,
  });
  return table.data?.fields.map((field) => field.name) ?? [];
}

interface ColumnsProps {
  label: string;
  description?: ReactNode;
  name?: string;
  columns: readonly string[];
  value: string[];
  onChange: (value: string[]) => void;
  required?: boolean;
}

/** Columns by name: those that are known are offered, others can be typed. */
export function ColumnsPicker({ columns, value, ...props }: ColumnsProps) {
  return (
    <TagsInput data={[...columns]} value={value} placeholder={value.length ? undefined : "Type a name"} {...props} />
  );
}

interface OutputProps {
  layer: string | null;
  onLayer: (layer: string | null) => void;
  name: string;
  onName: (name: string) => void;
  needsName?: boolean;
}

/** The table that is written: its layer, and its name there. */
export function OutputFields({ layer, onLayer, name, onName, needsName = true }: OutputProps) {
  return (
    <Group grow align="flex-start">
      <LayerPicker
        label="Layer"
        name="output_layer_id"
        description="Where the table it writes lies; it takes Editor there."
        required
        value={layer}
        onChange={onLayer}
      />
      <NameInput
        label="Table"
        name="output_name"
        description="Its name there. The first run makes it."
        example="orders_by_day"
        required={needsName}
        value={name}
        onChange={onName}
      />
    </Group>
  );
}
