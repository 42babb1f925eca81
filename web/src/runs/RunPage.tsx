/** One run, live: how far it is, what came of it, what was executed, where data went, what its log says. */
import { Alert, Code, Progress, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { Schemas } from "../api/client";
import { Fact } from "../components/Fact";
import { Moment } from "../components/Moment";
import { counted } from "../components/numbers";
import { Page } from "../components/Page";
import { Facts, ResourcePage } from "../components/ResourcePage";
import { Log } from "./Log";
import { Missing } from "./Missing";
import { Outcome } from "./Outcome";
import { RunActions } from "./RunActions";
import { RunLineage } from "./RunLineage";
import { Section } from "./Section";
import { RunStateBadge } from "./State";
import { SubjectLink } from "./SubjectLink";
import { runQuery, useRunAsItGoes } from "./watching";
import { howFar, kindInWords, lasted, named } from "./words";

type Run = Schemas["RunDetailOut"];

const route = getRouteApi("/inside/runs/$runId");

export function RunPage() {
  const { runId } = route.useParams();
  const lines = useRunAsItGoes(runId);
  return <ResourcePage query={runQuery(runId)}>{(run) => <Shown run={run} lines={lines} />}</ResourcePage>;
}

function Shown({ run, lines }: { run: Run; lines: Schemas["LogLineOut"][] }) {
  return (
    <Page title={named(run)} about={run.progress.note ?? kindInWords(run.kind)} actions={<RunActions run={run} />}>
      <Facts>
        <Fact name="State">
          <RunStateBadge state={run.state} problem={run.problem} />
        </Fact>
        <Fact name="Of">
          <SubjectLink kind={run.kind} subject={run.subject} />
        </Fact>
        <Fact name="Created">
          <Moment at={run.created_at} />
        </Fact>
        <Fact name="Took">{lasted(run.started_at, run.ended_at)}</Fact>
        <Fact name="Started by">{run.started_by?.name ?? (run.trigger_id ? "a trigger" : "–")}</Fact>
        {run.scheduled_for && (
          <Fact name="Due">
            <Moment at={run.scheduled_for} />
          </Fact>
        )}
        <Fact name="Acts as">{run.acts_as.name}</Fact>
        <Fact name="Attempt">
          {run.attempt} of {run.most_attempts}
        </Fact>
        <Fact name="Rows read">{counted(run.rows_read)}</Fact>
        <Fact name="Rows written">{counted(run.rows_written)}</Fact>
      </Facts>
      <HowFar run={run} />
      {run.problem && (
        <Alert
          color={run.state === "restricted" || run.problem.refused ? "orange" : "red"}
          variant="light"
          title={run.problem.message}
          styles={{ title: { color: "var(--mantine-color-text)" } }}
        >
          {run.problem.fix}
          {run.state === "restricted" && <Missing run={run} />}
        </Alert>
      )}
      <Outcome run={run} />
      {run.executed_sql && (
        <Section title="SQL">
          <Code block>{run.executed_sql}</Code>
        </Section>
      )}
      {run.state === "succeeded" && run.subject.type === "pipeline" && <RunLineage runId={run.id} />}
      <Section title="Log">
        <Log lines={lines} />
      </Section>
    </Page>
  );
}

function HowFar({ run }: { run: Run }) {
  const { stages_done: done, stages_total: total } = run.progress;
  if (run.ended_at !== null) return null;
  if (!total) return <Text c="dimmed">{run.state === "queued" ? "It waits for its turn." : "It has begun."}</Text>;
  return <Progress value={howFar(run.progress)} animated aria-label={`${done ?? 0} of ${total} stages`} />;
}
