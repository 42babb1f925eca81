/** What ran, runs and waits to run, the latest first, as it goes. */
import { MultiSelect, Pill, Select, Switch } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../api/client";
import { Empty } from "../components/Empty";
import { useListed } from "../components/narrowing";
import { Page } from "../components/Page";
import { ResourceList } from "../components/ResourceList";
import { COMMON, KIND, NAME } from "./columns";
import { useRunsAsTheyGo } from "./live";
import { RUN_ORDERS } from "./orders";
import { STATES, type State } from "./State";
import { KIND_CHOICES, kindInWords } from "./words";

const route = getRouteApi("/inside/runs");

export function Runs() {
  useRunsAsTheyGo();
  const narrowed = route.useSearch();
  const { state, mine, looks, kind, subject, trigger } = narrowed;
  const navigate = route.useNavigate();
  const narrow = (by: typeof narrowed) => navigate({ search: { ...narrowed, ...by }, replace: true });
  const kinds =
    kind && !KIND_CHOICES.some((one) => one.value === kind) ? [{ value: kind, label: kindInWords(kind) }] : [];
  return (
    <Page title="Runs" about="What was done, is being done and waits to be done, and as whom.">
      <ResourceList
        of={["runs", state, mine, looks, kind, subject, trigger]}
        read={(page) =>
          take(
            api.GET("/api/v1/runs", {
              params: { query: { ...page, state, mine, looks, kind, subject_id: subject, trigger_id: trigger } },
            }),
          )
        }
        columns={[NAME, KIND, ...COMMON]}
        {...useListed(RUN_ORDERS, "Find a run")}
        unfilter={
          state || mine || kind || subject || trigger ? () => navigate({ search: {}, replace: true }) : undefined
        }
        filters={
          <>
            <MultiSelect
              aria-label="States"
              placeholder={state ? undefined : "All states"}
              data={STATES}
              value={state ?? []}
              onChange={(chosen) => narrow({ state: chosen.length ? (chosen as State[]) : undefined })}
              clearable
              w={200}
            />
            <Select
              aria-label="Kind"
              placeholder="All kinds"
              data={[...KIND_CHOICES, ...kinds]}
              value={kind ?? null}
              onChange={(chosen) => narrow({ kind: chosen ?? undefined })}
              clearable
              w={160}
            />
            <Switch
              label="Only mine"
              checked={mine ?? false}
              onChange={(event) => narrow({ mine: event.currentTarget.checked || undefined })}
            />
            <Switch
              label="Looks and tests"
              checked={looks ?? false}
              onChange={(event) => narrow({ looks: event.currentTarget.checked || undefined })}
            />
            {(subject || trigger) && (
              <Pill withRemoveButton onRemove={() => narrow({ subject: undefined, trigger: undefined })}>
                {subject ? "Only of one thing" : "Only of one trigger"}
              </Pill>
            )}
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
