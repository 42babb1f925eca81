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

const COLUMNS: Column<Schemas["TableInListOut"]>[] = [
  {
    name: "Table",
    cell: (table) => (
      <TextLink to="/tables/$tableId" params={{ tableId: table.id }} fw={600}>
        {table.full_name}
      </TextLink>
    ),
  },
  { name: "Description", cell: (table) => table.description },
  { name: "Rows", align: "right", cell: (table) => counted(table.rows) },
  { name: "Changed", cell: (table) => <Moment at={table.changed_at} /> },
  { name: "Your level", cell: (table) => <Level on={table} /> },
];

interface Props {
  layer: string | undefined;
  search: string | undefined;
  onSearch: (search: string | undefined) => void;
  filters?: ReactNode;
}

export function TableList({ layer, search, onSearch, filters }: Props) {
  return (
    <ResourceList
      of={["tables", layer]}
      read={(page) => take(api.GET("/api/v1/tables", { params: { query: { ...page, layer } } }))}
      columns={COLUMNS}
      search={{ value: search, set: onSearch, label: "Find a table" }}
      filters={filters}
      empty={
        <Empty icon={IconDatabase} title="No table to see yet">
          Tables come from sources, queries and uploads. What others have made appears here once you have a level on it.
        </Empty>
      }
    />
  );
}
