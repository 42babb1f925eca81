/** A run that was just started, followed where it was started. */
import { Alert, Group, Paper, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Schemas } from "../api/client";
import { TextLink } from "../components/links";
import { Told } from "../components/Told";
import { RunStateBadge } from "../runs/State";
import { runQuery, useRunAsItGoes } from "../runs/watching";
import { howFar } from "../runs/words";

type Run = Schemas["RunDetailOut"];

interface Props {
  runId: string;
  /** What is being done, and what can be said once it is. */
  doing: string;
  done: string;
  onEnd?: (run: Run) => void;
}

export function Following({ runId, doing, done, onEnd }: Props) {
  const found = useQuery(runQuery(runId));
  useRunAsItGoes(runId);
  const run = found.data;
  const told = useRef("");
  useEffect(() => {
    if (!run?.ended_at || told.current === run.id) return;
    told.current = run.id;
    onEnd?.(run);
  }, [run, onEnd]);
  if (!run) return <Told error={found.error} />;
  const { note } = run.progress;
  return (
    <Paper withBorder p="md" role="status">
      <Stack gap="xs">
        <Group gap="sm">
          <RunStateBadge state={run.state} problem={run.problem} />
          <Text>{run.state === "succeeded" ? done : doing}</Text>
          <TextLink to="/runs/$runId" params={{ runId }} size="sm">
            Look at the run
          </TextLink>
        </Group>
        {!run.ended_at && <Progress value={howFar(run.progress)} animated aria-label={note ?? doing} size="sm" />}
        {!run.ended_at && note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
        {run.problem && (
          <Alert color="red" variant="light" title={run.problem.message}>
            {run.problem.fix}
          </Alert>
        )}
      </Stack>
    </Paper>
  );
}
