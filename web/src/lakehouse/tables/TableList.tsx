/** Tables that one may see, of all layers or of one. */
import { IconDatabase } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { Moment } from "../../components/Moment";
import { useListed } from "../../components/narrowing";
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

interface Props {
  layer: string | undefined;
  filters?: ReactNode;
  unfilter?: () => void;
}

export function TableList({ layer, filters, unfilter }: Props) {
  return (
    <ResourceList
      of={["tables", layer]}
      read={(page) => take(api.GET("/api/v1/tables", { params: { query: { ...page, layer } } }))}
      columns={layer ? COLUMNS.filter((column) => column !== LAYER) : COLUMNS}
      {...useListed(TABLE_ORDERS, "Find a table")}
      filters={filters}
      unfilter={unfilter}
      empty={
        <Empty icon={IconDatabase} title="No table to see yet">
          Tables come from sources, queries and uploads. What others have made appears here once you have a level on it.
        </Empty>
      }
    />
  );
}
