/** One run, live: how far it is, what its log says, what was executed, and why it failed. */
import { Alert, Button, Code, Group, Paper, Progress, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconPlayerStop, IconRefresh } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { api, type Schemas, take } from "../api/client";
import { Fact } from "../components/Fact";
import { Moment } from "../components/Moment";
import { counted } from "../components/numbers";
import { Page } from "../components/Page";
import { Told } from "../components/Told";
import { RunStateBadge } from "./State";
import { useRunAsItGoes } from "./watching";

type Run = Schemas["RunDetailOut"];

const route = getRouteApi("/inside/runs/$runId");

export function RunPage() {
  const { runId } = route.useParams();
  const found = useQuery({
    queryKey: ["runs", runId],
    queryFn: () => take(api.GET("/api/v1/runs/{run_id}", { params: { path: { run_id: runId } } })),
  });
  const lines = useRunAsItGoes(runId);
  if (found.error) return <Told error={found.error} />;
  if (!found.data) return <Skeleton height={220} />;
  const run = found.data;
  return (
    <Page
      title={`${run.subject.name || run.kind.replaceAll("_", " ")} #${run.number}`}
      about={run.progress.note ?? undefined}
      actions={<Actions run={run} />}
    >
      <Group gap="xl">
        <Fact name="State">
          <RunStateBadge state={run.state} />
        </Fact>
        <Fact name="Created">
          <Moment at={run.created_at} />
        </Fact>
        <Fact name="Ended">
          <Moment at={run.ended_at} />
        </Fact>
        <Fact name="Started by">{run.started_by?.name ?? (run.trigger_id ? "a trigger" : "–")}</Fact>
        <Fact name="Acts as">{run.acts_as.name}</Fact>
        <Fact name="Rows read">{counted(run.rows_read)}</Fact>
        <Fact name="Rows written">{counted(run.rows_written)}</Fact>
      </Group>
      <HowFar run={run} />
      {run.problem && (
        <Alert color={run.state === "restricted" ? "orange" : "red"} variant="light" title={run.problem.message}>
          {run.problem.fix}
        </Alert>
      )}
      {run.executed_sql && (
        <Part title="SQL">
          <Code block>{run.executed_sql}</Code>
        </Part>
      )}
      <Part title="Log">
        <Paper withBorder p="md" ff="monospace" fz="sm" style={{ overflowX: "auto" }}>
          {lines.length === 0 && <Text c="dimmed">Nothing was said.</Text>}
          {lines.map((line) => (
            <div key={line.id}>
              <Text span c="dimmed" fz="sm">
                {new Date(line.at).toLocaleTimeString("en-GB")}
              </Text>{" "}
              <Text span fz="sm" fw={line.level === "info" ? 400 : 700}>
                {line.text}
              </Text>
            </div>
          ))}
        </Paper>
      </Part>
    </Page>
  );
}

function HowFar({ run }: { run: Run }) {
  const { stages_done: done, stages_total: total } = run.progress;
  if (run.ended_at !== null || !total) return null;
  return <Progress value={(100 * (done ?? 0)) / total} animated aria-label={`${done ?? 0} of ${total} stages`} />;
}

function Actions({ run }: { run: Run }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const path = { params: { path: { run_id: run.id } } };
  const cancel = useMutation({
    mutationFn: () => take(api.POST("/api/v1/runs/{run_id}/cancel", path)),
    onSuccess: (now) => cache.setQueryData(["runs", run.id], now),
  });
  const again = useMutation({
    mutationFn: () => take(api.POST("/api/v1/runs/{run_id}/again", path)),
    onSuccess: (next) => navigate({ to: "/runs/$runId", params: { runId: next.id } }),
  });
  return (
    <Stack align="flex-end" gap="xs">
      <Group>
        {run.actions.includes("cancel") && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} />}
            loading={cancel.isPending || run.cancel_asked_at !== null}
            onClick={() => cancel.mutate()}
          >
            Cancel
          </Button>
        )}
        {run.actions.includes("run_again") && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            loading={again.isPending}
            onClick={() => again.mutate()}
          >
            Run again
          </Button>
        )}
      </Group>
      <Told error={cancel.error ?? again.error} />
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}
