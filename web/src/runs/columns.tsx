/** What a list tells of runs. */
import { Group, Progress } from "@mantine/core";
import type { Schemas } from "../api/client";
import { TextLink } from "../components/links";
import { Moment } from "../components/Moment";
import { counted } from "../components/numbers";
import type { Column } from "../components/ResourceList";
import type { RunOrder } from "./orders";
import { RunStateBadge } from "./State";
import { howFar, kindInWords, lasted, named } from "./words";

type Run = Schemas["RunOut"];
type RunColumn = Column<Run, RunOrder>;

export const NAME: RunColumn = {
  name: "Run",
  sort: "name",
  cell: (run) => (
    <TextLink to="/runs/$runId" params={{ runId: run.id }} fw={600} lineClamp={2} maw={320}>
      {named(run)}
    </TextLink>
  ),
};

export const KIND: RunColumn = { name: "What", cell: (run) => kindInWords(run.kind) };

export const COMMON: readonly RunColumn[] = [
  { name: "State", cell: (run) => <StateOf run={run} /> },
  { name: "Created", sort: "-created", cell: (run) => <Moment at={run.created_at} /> },
  { name: "Took", cell: (run) => lasted(run.started_at, run.ended_at) },
  { name: "Started by", from: "md", cell: (run) => run.started_by?.name ?? (run.trigger_id ? "a trigger" : "–") },
  { name: "Rows written", align: "right", cell: (run) => counted(run.rows_written) },
];

function StateOf({ run }: { run: Run }) {
  const { stages_done: done, stages_total: total } = run.progress;
  return (
    <Group gap="xs" wrap="nowrap">
      <RunStateBadge state={run.state} problem={run.problem} />
      {run.state === "running" && (
        <Progress
          w={64}
          size="sm"
          animated
          value={howFar(run.progress)}
          aria-label={total ? `${done ?? 0} of ${total} stages` : "running"}
        />
      )}
    </Group>
  );
}
