/** Lists of runs as they go: one's own are told of by the server at every change, those of others are asked for. */
import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Schemas } from "../api/client";
import { viewing } from "../tenancy/viewing";

type Run = Schemas["RunOut"];
type Lists = InfiniteData<{ items: Run[]; next_cursor: string | null }>;

const AGAIN = 5000; // milliseconds between two looks at what others run, and for new runs of one's own

/** The list with this run as it is now; the same list where it does not hold it. */
export function withRun<L extends Lists>(list: L, run: Run): L {
  if (!list.pages.some((page) => page.items.some((one) => one.id === run.id))) return list;
  const pages = list.pages.map((page) => ({
    ...page,
    items: page.items.map((one) => (one.id === run.id ? run : one)),
  }));
  return { ...list, pages };
}

function isList(data: unknown): data is Lists {
  return typeof data === "object" && data !== null && "pages" in data;
}

/** Whether a list was there that holds the run. */
function tell(cache: QueryClient, run: Run): boolean {
  let known = false;
  cache.setQueriesData<unknown>({ queryKey: ["runs"] }, (data: unknown) => {
    if (!isList(data)) return data;
    const now = withRun(data, run);
    known ||= now !== data;
    return now;
  });
  return known;
}

export function useRunsAsTheyGo(): void {
  const cache = useQueryClient();
  useEffect(() => {
    let events: EventSource | undefined;
    let timer: number | undefined;
    const askAgain = () =>
      cache.invalidateQueries({ queryKey: ["runs"], predicate: (query) => isList(query.state.data) });
    const listen = () => {
      // A stream would be the viewer's own; what whom they view as sees is asked for.
      if (viewing()) return;
      events = new EventSource("/api/v1/runs/events");
      events.addEventListener("run", (event) => {
        if (!tell(cache, JSON.parse(event.data))) askAgain();
      });
      events.addEventListener("end", () => events?.close());
    };
    const look = () => {
      if (document.visibilityState === "visible") {
        askAgain();
        if (events?.readyState === EventSource.CLOSED) listen();
      }
      timer = window.setTimeout(look, AGAIN);
    };
    listen();
    timer = window.setTimeout(look, AGAIN);
    return () => {
      window.clearTimeout(timer);
      events?.close();
    };
  }, [cache]);
}
