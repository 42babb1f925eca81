/** A run as it goes: the server tells of every change, and of every line of its log. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Schemas } from "../api/client";

type Line = Schemas["LogLineOut"];

/** Keeps the run in the cache as the server tells of it, until it has ended; the lines of its log so far. */
export function useRunAsItGoes(runId: string): Line[] {
  const cache = useQueryClient();
  const [lines, setLines] = useState<Line[]>([]);
  useEffect(() => {
    setLines([]);
    const events = new EventSource(`/api/v1/runs/${encodeURIComponent(runId)}/events`);
    events.addEventListener("run", (event) => cache.setQueryData(["runs", runId], JSON.parse(event.data)));
    events.addEventListener("log", (event) => {
      const line: Line = JSON.parse(event.data);
      setLines((before) => (before.some((one) => one.id === line.id) ? before : [...before, line]));
    });
    // Without this the browser would begin again, as after a lost connection.
    events.addEventListener("end", () => events.close());
    return () => events.close();
  }, [cache, runId]);
  return lines;
}
