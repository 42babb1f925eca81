/** Saving a query. Spark works out first what it reads; where that takes long, it is waited for. */
import { api, type Schemas, take } from "../../../api/client";
import type { SavedQuery } from "../asking";

type New = Schemas["NewSavedQuery"];
type Change = Schemas["SavedQueryChange"];
type Started = Schemas["StartedOut"];

const LONGEST_WAIT = 30; // seconds
const LOOKED_AGAIN = 1000; // milliseconds

export function saveNew(body: New): Promise<SavedQuery> {
  return analysed((analysis) =>
    take(api.POST("/api/v1/saved-queries", { params: { query: { wait: LONGEST_WAIT, analysis } }, body })),
  );
}

export function saveChange({ id, version }: SavedQuery, body: Change): Promise<SavedQuery> {
  return analysed((analysis) =>
    take(
      api.PATCH("/api/v1/saved-queries/{query_id}", {
        params: {
          path: { query_id: id },
          query: { wait: LONGEST_WAIT, analysis },
          header: { "If-Match": `"${version}"` },
        },
        body,
      }),
    ),
  );
}

/** Asks until it is saved: an answer that is no saved query yet names the run that goes on. */
export async function analysed(ask: (analysis?: string) => Promise<SavedQuery | Started>): Promise<SavedQuery> {
  let answer = await ask();
  while ("run_id" in answer) {
    await ended(answer.run_id);
    answer = await ask(answer.run_id);
  }
  return answer;
}

async function ended(runId: string): Promise<void> {
  for (;;) {
    const run = await take(api.GET("/api/v1/runs/{run_id}", { params: { path: { run_id: runId } } }));
    if (run.ended_at !== null) return;
    await new Promise((resolve) => setTimeout(resolve, LOOKED_AGAIN));
  }
}
