/** Runs in words. */
import type { Schemas } from "../api/client";

const KINDS: Record<string, string> = {
  sync: "Sync of a source",
  pipeline_query: "Pipeline query",
  history: "History",
  destination: "Destination",
  query: "Query",
  maintenance: "Maintenance",
  restore: "Going back to a version",
  create_table: "New table",
  preview_table: "Look at a table",
  table_versions: "Versions of a table",
  dry_run: "Dry run",
  discover: "Look at a source",
  test_connection: "Test of a connection",
  test_destination: "Test of a destination",
};

/** The kinds that can be asked for by a filter. */
export const KIND_CHOICES = ["sync", "pipeline_query", "history", "destination", "query", "maintenance", "restore"].map(
  (value) => ({
    value,
    label: KINDS[value] ?? value,
  }),
);

/** “Sync of a source”; a kind without a word of its own by its name. */
export function kindInWords(kind: string): string {
  const plain = kind.replaceAll("_", " ");
  return KINDS[kind] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** “Deliveries #3”. */
export function named(run: Pick<Schemas["RunOut"], "subject" | "kind" | "number">): string {
  return `${run.subject.name || kindInWords(run.kind)} #${run.number}`;
}

/** How much of a bar is filled while a run goes on: never all of it, for Spark finds further stages on its way. */
export function howFar({ stages_done: done, stages_total: total }: Schemas["ProgressOut"]): number {
  return (100 * (done ?? 0)) / ((total ?? 0) + 1);
}

/** “2 min 5 s” from start to end, or until now. */
export function lasted(started: string | null, ended: string | null, now = new Date()): string {
  if (!started) return "–";
  const seconds = Math.max(0, ((ended ? new Date(ended) : now).getTime() - new Date(started).getTime()) / 1000);
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
