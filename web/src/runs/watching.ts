/** A run as it goes: the server tells of every change, and of every line of its log. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, type Schemas, take } from "../api/client";
import { viewing } from "../tenancy/viewing";

type Line = Schemas["LogLineOut"];
type Hear = (lines: Line[]) => void;

const EVERY = 2000; // milliseconds

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
  const events = new EventSource(`/api/v1/runs/${encodeURIComponent(runId)}/events`);
  events.addEventListener("run", (event) => cache.setQueryData(["runs", runId], JSON.parse(event.data)));
  events.addEventListener("log", (event) => hear([JSON.parse(event.data)]));
  // Without this the browser would begin again, as after a lost connection.
  events.addEventListener("end", () => events.close());
  return () => events.close();
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
    cache.setQueryData(["runs", runId], run);
    if (run.ended_at === null) timer = setTimeout(tryToLook, EVERY);
  };
  // What goes wrong is told by the page, which asks for the run itself.
  const tryToLook = () => void look().catch(() => undefined);
  tryToLook();
  return () => {
    left = true;
    clearTimeout(timer);
  };
}
