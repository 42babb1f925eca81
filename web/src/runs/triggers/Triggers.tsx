/** What starts pipelines by itself: when, and what it starts. */
import { Group, Text } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { api, type Schemas, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { Moment } from "../../components/Moment";
import { Page } from "../../components/Page";
import { type Column, ResourceList } from "../../components/ResourceList";
import { StateBadge } from "../../components/StateBadge";
import { SubjectLink } from "../SubjectLink";
import { TriggerActions } from "./TriggerActions";

const COLUMNS: Column<Schemas["TriggerOut"]>[] = [
  { name: "Starts", cell: ({ subject }) => <SubjectLink kind={subject.kind} subject={subject} /> },
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
  { name: "Next", cell: (trigger) => <Moment at={trigger.next_firings[0]} /> },
  { name: "Fired last", cell: (trigger) => <Moment at={trigger.last_fired_at} /> },
  { name: "Saved by", cell: (trigger) => trigger.saved_by },
  { name: "Actions", align: "right", cell: (trigger) => <TriggerActions trigger={trigger} /> },
];

export function Triggers() {
  return (
    <Page title="Triggers" about="What starts pipelines by itself. A pipeline's own page adds one.">
      <ResourceList
        of={["triggers"]}
        read={({ cursor }) => take(api.GET("/api/v1/triggers", { params: { query: { cursor } } }))}
        columns={COLUMNS}
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
