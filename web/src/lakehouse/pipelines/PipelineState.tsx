/** Whether a pipeline runs, rests, or cannot run because whom it acts as lacks a level. */
import { Group, Text } from "@mantine/core";
import { TextLink } from "../../components/links";
import { Moment } from "../../components/Moment";
import { StateBadge } from "../../components/StateBadge";
import { RunStateBadge } from "../../runs/State";
import type { Pipeline } from "./common";

export function PipelineState({ pipeline }: { pipeline: Pipeline }) {
  if (!pipeline.active) return <StateBadge state="resting" tone="quiet" />;
  if (pipeline.last_run?.state === "restricted") return <StateBadge state="restricted" tone="held" />;
  return <StateBadge state="active" tone="good" />;
}

export function LastRun({ pipeline }: { pipeline: Pipeline }) {
  const run = pipeline.last_run;
  if (!run) {
    return (
      <Text size="sm" c="dimmed">
        never
      </Text>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <RunStateBadge state={run.state} />
      <TextLink to="/runs/$runId" params={{ runId: run.id }} size="sm">
        #{run.number} <Moment at={run.ended_at ?? run.created_at} />
      </TextLink>
    </Group>
  );
}
