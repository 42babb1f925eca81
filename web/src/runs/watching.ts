/** A run as it goes: the server tells of every change, and of every line of its log. */
import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, Problem, type Schemas, take } from "../api/client";
import { viewing } from "../tenancy/viewing";

type Line = Schemas["LogLineOut"];
type Run = Schemas["RunDetailOut"];
type Hear = (lines: Line[]) => void;

const EVERY = 2000; // milliseconds
const ANYHOW = 10_000; // however silent the server is: a connection can be dead without anybody noticing

/** One run. As long as it has not ended, it is asked for every now and then besides. */
export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ["runs", runId],
    queryFn: () => take(api.GET("/api/v1/runs/{run_id}", { params: { path: { run_id: runId } } })),
    refetchInterval: ({ state }) => (state.data?.ended_at ? false : ANYHOW),
  });

/** The run as the server tells of it now; an answer on its way may be older, and does not count any more. What has ended
 * does not begin again. */
export function tellOfRun(cache: QueryClient, run: Run): void {
  const { queryKey } = runQuery(run.id);
  void cache.cancelQueries({ queryKey, exact: true });
  cache.setQueryData(queryKey, (before) => (before?.ended_at && !run.ended_at ? before : run));
}

/** Keeps the run in the cache as the server tells of it, until it has ended; the lines of its log so far. */
export function useRunAsItGoes(runId: string): Line[] {
  const cache = useQueryClient();
  const [lines, setLines] = useState<Line[]>([]);
  useEffect(() => {
    setLines([]);
    const hear: Hear = (told) => setLines((before) => withNew(before, told));
    // A stream would be one's own: it goes without the header that says through whose eyes one looks.
    return viewing() ? ask(cache, runId, hear) : listen(cache, runId, hear);
  }, [cache, runId]);
  return lines;
}

/** What was known, and what is new, each line once. */
export function withNew(before: Line[], told: readonly Line[]): Line[] {
  const known = new Set(before.map((line) => line.id));
  const fresh = told.filter((line) => !known.has(line.id));
  return fresh.length > 0 ? [...before, ...fresh] : before;
}

function listen(cache: QueryClient, runId: string, hear: Hear): () => void {
  let stopAsking: (() => void) | undefined;
  const events = new EventSource(`/api/v1/runs/${encodeURIComponent(runId)}/events`);
  events.addEventListener("run", (event) => tellOfRun(cache, JSON.parse(event.data)));
  events.addEventListener("log", (event) => hear([JSON.parse(event.data)]));
  events.addEventListener("end", () => {
    // Without this the browser would begin again, as after a lost connection.
    events.close();
    // It may have ended because there is no right to see it any more, or nobody signed in.
    void cache.invalidateQueries({ ...runQuery(runId), exact: true });
  });
  // A lost connection the browser makes anew by itself; after any answer but a stream it gives up.
  events.addEventListener("error", () => {
    if (events.readyState === EventSource.CLOSED) stopAsking ??= ask(cache, runId, hear);
  });
  return () => {
    events.close();
    stopAsking?.();
  };
}

function ask(cache: QueryClient, runId: string, hear: Hear): () => void {
  const path = { run_id: runId };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let left = false;
  let cursor: string | undefined;
  const look = async () => {
    const run = await take(api.GET("/api/v1/runs/{run_id}", { params: { path } }));
    for (;;) {
      const page = await take(
        api.GET("/api/v1/runs/{run_id}/log", { params: { path, query: { cursor, limit: 200 } } }),
      );
      if (left) return;
      hear(page.items);
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    tellOfRun(cache, run);
    if (run.ended_at === null) timer = setTimeout(tryToLook, EVERY);
  };
  const tryToLook = () =>
    void look().catch((problem: unknown) => {
      if (left) return;
      if (mayPass(problem)) timer = setTimeout(tryToLook, EVERY);
      // The page asks for the run itself, and tells what is wrong.
      else void cache.invalidateQueries({ ...runQuery(runId), exact: true });
    });
  tryToLook();
  return () => {
    left = true;
    clearTimeout(timer);
  };
}

/** Whether it may go better at the next try: the server was not reached, or had no time. */
function mayPass(problem: unknown): boolean {
  return problem instanceof Problem && (problem.status === 0 || problem.status >= 500);
}
