/** What ran, runs and waits to run, the latest first. */
import { MultiSelect, Switch } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { api, type Schemas, take } from "../api/client";
import { Empty } from "../components/Empty";
import { TextLink } from "../components/links";
import { Moment } from "../components/Moment";
import { counted } from "../components/numbers";
import { Page } from "../components/Page";
import { type Column, ResourceList } from "../components/ResourceList";
import { RunStateBadge, STATES } from "./State";

type Run = Schemas["RunOut"];

const route = getRouteApi("/inside/runs");

const COLUMNS: Column<Run>[] = [
  {
    name: "Run",
    cell: (run) => (
      <TextLink to="/runs/$runId" params={{ runId: run.id }} fw={600}>
        {run.subject.name || run.kind.replaceAll("_", " ")} #{run.number}
      </TextLink>
    ),
  },
  { name: "State", cell: (run) => <RunStateBadge state={run.state} /> },
  { name: "Created", cell: (run) => <Moment at={run.created_at} /> },
  { name: "Started by", cell: (run) => run.started_by?.name ?? (run.trigger_id ? "a trigger" : "–") },
  {
    name: "Rows written",
    align: "right",
    cell: (run) => counted(run.rows_written),
  },
];

export function Runs() {
  const { state, mine } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title="Runs" about="What was done, is being done and waits to be done, and as whom.">
      <ResourceList
        of={["runs", state, mine]}
        read={({ cursor }) => take(api.GET("/api/v1/runs", { params: { query: { cursor, state, mine } } }))}
        columns={COLUMNS}
        filters={
          <>
            <MultiSelect
              aria-label="States"
              placeholder={state ? undefined : "All states"}
              data={STATES}
              value={state ?? []}
              onChange={(chosen) =>
                navigate({
                  search: { mine, state: chosen.length ? (chosen as Run["state"][]) : undefined },
                  replace: true,
                })
              }
              clearable
              w={320}
            />
            <Switch
              label="Only those I started"
              checked={mine ?? false}
              onChange={(event) =>
                navigate({ search: { state, mine: event.currentTarget.checked || undefined }, replace: true })
              }
            />
          </>
        }
        empty={
          <Empty icon={IconPlayerPlay} title="Nothing has run yet">
            Queries, sources and pipelines that you may see leave their runs here.
          </Empty>
        }
      />
    </Page>
  );
}
