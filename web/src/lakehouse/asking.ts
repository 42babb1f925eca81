/** Waiting for what Spark was asked: the answer itself, or the problem it told of. */
import { api, Problem, type Schemas, take } from "../api/client";

type Query = Schemas["QueryOut"];

export interface Rows {
  columns: Schemas["ColumnOut"][];
  rows: unknown[][];
  /** There is more than what was asked for. */
  cut: boolean;
  note: string | null;
}

interface Waiting {
  signal: AbortSignal;
  onNote: (note: string) => void;
}

const PAUSE = 1000; // milliseconds

/** The rows of a query that was asked; as long as it goes on, what it waits for is told. */
export async function rowsOf(asked: Query, { signal, onNote }: Waiting): Promise<Rows> {
  let query = asked;
  while (query.ended_at === null) {
    onNote(query.note ?? "Spark is working on it.");
    await pause(signal);
    query = await take(api.GET("/api/v1/queries/{query_id}", { params: { path: { query_id: query.id } }, signal }));
  }
  if (query.state !== "succeeded") throw problemOf(query);
  if (query.rows || query.note) return { ...told(query), rows: query.rows ?? [] };
  const page = await take(
    api.GET("/api/v1/queries/{query_id}/rows", { params: { path: { query_id: query.id } }, signal }),
  );
  return { ...told(query), rows: page.rows };
}

function told(query: Query) {
  return { columns: query.columns ?? [], cut: query.cut ?? false, note: query.note ?? null };
}

function problemOf(query: Pick<Query, "problem" | "state">): Problem {
  const { message, fix } = query.problem ?? { message: `It ended ${query.state}.`, fix: "" };
  return new Problem(0, `${message} ${fix ?? ""}`.trim());
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PAUSE);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
