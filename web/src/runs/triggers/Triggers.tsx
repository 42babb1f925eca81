/** What starts pipelines by itself: when, and what it starts. */
import { Group, Select, Text } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { api, type Schemas, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { Moment } from "../../components/Moment";
import { useListed } from "../../components/narrowing";
import { Page } from "../../components/Page";
import { type Column, ResourceList } from "../../components/ResourceList";
import { StateBadge } from "../../components/StateBadge";
import { TRIGGER_ORDERS, type TriggerOrder } from "../orders";
import type { TriggerKind } from "../routes";
import { SubjectLink } from "../SubjectLink";
import { TriggerActions } from "./TriggerActions";

const route = getRouteApi("/inside/triggers");

const COLUMNS: Column<Schemas["TriggerOut"], TriggerOrder>[] = [
  { name: "Starts", sort: "name", cell: ({ subject }) => <SubjectLink kind={subject.kind} subject={subject} /> },
  {
    name: "When",
    cell: (trigger) => (
      <>
        <Group gap="xs">
          <span>{trigger.words}</span>
          {trigger.paused && <StateBadge state="paused" tone="quiet" />}
        </Group>
        {trigger.note && (
          <Text size="xs" c="dimmed">
            {trigger.note}
          </Text>
        )}
      </>
    ),
  },
  { name: "Next", sort: "next", cell: (trigger) => <Moment at={trigger.next_firings[0]} /> },
  { name: "Fired last", sort: "-fired", cell: (trigger) => <Moment at={trigger.last_fired_at} /> },
  { name: "Made", sort: "-created", from: "sm", cell: (trigger) => <Moment at={trigger.created_at} /> },
  { name: "Saved by", from: "lg", cell: (trigger) => trigger.saved_by },
  { name: "Actions", align: "right", cell: (trigger) => <TriggerActions trigger={trigger} /> },
];

export function Triggers() {
  const narrowed = route.useSearch();
  const { kind, paused } = narrowed;
  const navigate = route.useNavigate();
  const narrow = (by: typeof narrowed) => navigate({ search: { ...narrowed, ...by }, replace: true });
  return (
    <Page title="Triggers" about="What starts pipelines by itself. A pipeline's own page adds one.">
      <ResourceList
        of={["triggers", kind, paused]}
        read={(page) => take(api.GET("/api/v1/triggers", { params: { query: { ...page, kind, paused } } }))}
        columns={COLUMNS}
        {...useListed(TRIGGER_ORDERS, "Find what is started")}
        unfilter={kind || paused !== undefined ? () => navigate({ search: {}, replace: true }) : undefined}
        filters={
          <>
            <Select
              aria-label="When"
              placeholder="At any time"
              clearable
              data={[
                { value: "cron", label: "At times" },
                { value: "after", label: "After others" },
              ]}
              value={kind ?? null}
              onChange={(chosen) => narrow({ kind: (chosen as TriggerKind | null) ?? undefined })}
            />
            <Select
              aria-label="Paused or not"
              placeholder="Paused or not"
              clearable
              data={[
                { value: "no", label: "Not paused" },
                { value: "yes", label: "Paused" },
              ]}
              value={paused === undefined ? null : paused ? "yes" : "no"}
              onChange={(chosen) => narrow({ paused: chosen === null ? undefined : chosen === "yes" })}
            />
          </>
        }
        empty={
          <Empty icon={IconClock} title="Nothing starts by itself yet">
            On the page of a source, a pipeline query, a history or a destination, add a trigger that runs it at times
            or after others.
          </Empty>
        }
      />
    </Page>
  );
}
