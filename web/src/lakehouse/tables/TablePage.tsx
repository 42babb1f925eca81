/** One table: what it holds and held, where that comes from and goes to, and who reaches it. */
import { Group, Skeleton } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { History } from "../../audit/History";
import { Fact } from "../../components/Fact";
import { TextLink } from "../../components/links";
import { Moment } from "../../components/Moment";
import { counted, sized } from "../../components/numbers";
import { Page } from "../../components/Page";
import { type Part, Parts } from "../../components/Parts";
import { Facts, ResourcePage } from "../../components/ResourcePage";
import { SharePanel } from "../../components/SharePanel";
import { Access } from "../Access";
import { DeleteByName } from "../DeleteByName";
import { Describe } from "../Describe";
import { Level } from "../Level";
import type { TablePart } from "../parts";
import { UsedBy } from "../UsedBy";
import { Fields } from "./Fields";
import { type Begun, Restoring } from "./Restoring";

// The graph and the grid are large: they are fetched by who looks at them.
const Lineage = lazy(() => import("./Lineage").then((file) => ({ default: file.Lineage })));
const Sample = lazy(() => import("./Sample").then((file) => ({ default: file.Sample })));
const Versions = lazy(() => import("./Versions").then((file) => ({ default: file.Versions })));

type Table = Schemas["TableOut"];

const route = getRouteApi("/inside/tables/$tableId");

export function TablePage() {
  const { tableId } = route.useParams();
  return (
    <ResourcePage
      query={{
        queryKey: ["tables", tableId],
        queryFn: () => take(api.GET("/api/v1/tables/{table_id}", { params: { path: { table_id: tableId } } })),
      }}
    >
      {(table) => <Shown table={table} />}
    </ResourcePage>
  );
}

function Shown({ table }: { table: Table }) {
  return (
    <Page title={table.full_name} about={table.description} actions={<Actions table={table} />}>
      <Facts>
        <Fact name="Layer">
          <TextLink to="/layers/$layerId" params={{ layerId: table.layer.id }}>
            {table.layer.name}
          </TextLink>
        </Fact>
        <Fact name="Rows">{counted(table.rows)}</Fact>
        <Fact name="Size">{sized(table.bytes)}</Fact>
        <Fact name="Changed">
          <Moment at={table.changed_at} />
        </Fact>
        <Fact name="Your level">
          <Level on={table} />
        </Fact>
      </Facts>
      <PartsOf key={table.id} table={table} />
    </Page>
  );
}

function PartsOf({ table }: { table: Table }) {
  const { part, version, columns, steps, lit } = route.useSearch();
  const navigate = route.useNavigate();
  const [restoring, setRestoring] = useState<Begun>();
  const mayRead = table.actions.includes("execute_queries");
  const parts: (Part<TablePart> | false)[] = [
    { name: "fields", label: "Fields", show: () => <Fields table={table} /> },
    mayRead && { name: "sample", label: "Sample", show: () => <Sample table={table} /> },
    {
      name: "versions",
      label: "Versions",
      show: () => (
        <Versions
          table={table}
          version={version}
          onLook={(chosen) => navigate({ search: { part: "versions", version: chosen } })}
          onRestoring={setRestoring}
        />
      ),
    },
    {
      name: "lineage",
      label: "Lineage",
      show: () => (
        <Lineage
          table={table}
          columns={columns ?? false}
          steps={steps ?? 2}
          lit={lit}
          onShow={(shown) => navigate({ search: { part: "lineage", columns, steps, lit, ...shown }, replace: true })}
        />
      ),
    },
    { name: "uses", label: "Who uses it", show: () => <UsedBy thing={{ type: "table", id: table.id }} /> },
    { name: "access", label: "Access", show: () => <Access on={{ type: "table", id: table.id }} /> },
    { name: "history", label: "History", show: () => <History type="table" id={table.id} /> },
  ];
  return (
    <>
      {restoring && <Restoring table={table} begun={restoring} />}
      <Suspense fallback={<Skeleton height={220} />}>
        <Parts parts={parts} shown={part} onShow={(name) => navigate({ search: { part: name } })} />
      </Suspense>
    </>
  );
}

function Actions({ table }: { table: Table }) {
  const navigate = useNavigate();
  return (
    <Group justify="flex-end">
      <SharePanel on={{ type: "table", id: table.id, name: table.full_name }} actions={table.actions} />
      <Describe
        type="table"
        thing={table}
        save={(body) =>
          take(
            api.PATCH("/api/v1/tables/{table_id}", {
              params: { path: { table_id: table.id }, header: { "If-Match": `"${table.version}"` } },
              body,
            }),
          )
        }
      />
      <DeleteByName
        thing={{ ...table, type: "table" }}
        lost="Its data and all its versions are deleted."
        act={() =>
          api.DELETE("/api/v1/tables/{table_id}", {
            params: {
              path: { table_id: table.id },
              query: { confirm: table.full_name },
              header: { "If-Match": `"${table.version}"` },
            },
          })
        }
        onGone={() => navigate({ to: "/tables" })}
      />
    </Group>
  );
}
