/** Tables that one may see, of all layers or of one. */
import { IconDatabase } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { Moment } from "../../components/Moment";
import { counted } from "../../components/numbers";
import { type Column, ResourceList } from "../../components/ResourceList";
import { Level } from "../Level";
import { TABLE_ORDERS, type TableOrder } from "./orders";

const LAYER: Column<Schemas["TableInListOut"], TableOrder> = { name: "Layer", cell: (table) => table.layer.name };
const COLUMNS: Column<Schemas["TableInListOut"], TableOrder>[] = [
  {
    name: "Table",
    sort: "name",
    cell: (table) => (
      <TextLink to="/tables/$tableId" params={{ tableId: table.id }} fw={600} aria-label={table.full_name}>
        {table.name}
      </TextLink>
    ),
  },
  LAYER,
  { name: "Description", cell: (table) => table.description },
  { name: "Rows", align: "right", cell: (table) => counted(table.rows) },
  { name: "Changed", sort: "-changed", cell: (table) => <Moment at={table.changed_at} /> },
  { name: "Your level", cell: (table) => <Level on={table} /> },
];

interface Narrowed {
  search?: string;
  sort?: TableOrder;
}

interface Props {
  layer: string | undefined;
  narrowed: Narrowed;
  onNarrow: (narrowed: Narrowed) => void;
  filters?: ReactNode;
}

export function TableList({ layer, narrowed, onNarrow, filters }: Props) {
  return (
    <ResourceList
      of={["tables", layer]}
      read={(page) => take(api.GET("/api/v1/tables", { params: { query: { ...page, layer } } }))}
      columns={layer ? COLUMNS.filter((column) => column !== LAYER) : COLUMNS}
      search={{
        value: narrowed.search,
        set: (search) => onNarrow({ ...narrowed, search }),
        label: "Find a table",
      }}
      sort={{ value: narrowed.sort, set: (sort) => onNarrow({ ...narrowed, sort }), known: TABLE_ORDERS }}
      filters={filters}
      empty={
        <Empty icon={IconDatabase} title="No table to see yet">
          Tables come from sources, queries and uploads. What others have made appears here once you have a level on it.
        </Empty>
      }
    />
  );
}
