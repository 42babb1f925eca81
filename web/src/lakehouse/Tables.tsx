/** Tables that one may see, of all layers or of one. */
import { Select } from "@mantine/core";
import { IconDatabase } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, type Schemas, take } from "../api/client";
import { Empty } from "../components/Empty";
import { TextLink } from "../components/links";
import { Moment } from "../components/Moment";
import { counted } from "../components/numbers";
import { Page } from "../components/Page";
import { type Column, ResourceList } from "../components/ResourceList";
import { Level } from "./Level";

const route = getRouteApi("/inside/tables");

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

export function Tables() {
  const { search, layer } = route.useSearch();
  const navigate = route.useNavigate();
  const layers = useQuery({
    queryKey: ["layers", "choices"],
    queryFn: () => take(api.GET("/api/v1/layers", { params: { query: { limit: 200 } } })),
  });
  return (
    <Page title="Tables" about="What was landed and made, with the level you have on it.">
      <ResourceList
        of={["tables", layer]}
        read={(page) => take(api.GET("/api/v1/tables", { params: { query: { ...page, layer } } }))}
        columns={COLUMNS}
        search={{
          value: search,
          set: (value) => navigate({ search: { layer, search: value }, replace: true }),
          label: "Find a table",
        }}
        filters={
          <Select
            aria-label="Layer"
            placeholder="All layers"
            clearable
            value={layer ?? null}
            data={layers.data?.items.map((one) => ({ value: one.id, label: one.name })) ?? []}
            onChange={(value) => navigate({ search: { search, layer: value ?? undefined }, replace: true })}
          />
        }
        empty={
          <Empty icon={IconDatabase} title="No table to see yet">
            Tables come from sources, queries and uploads. What others have made appears here once you have a level on
            it.
          </Empty>
        }
      />
    </Page>
  );
}
