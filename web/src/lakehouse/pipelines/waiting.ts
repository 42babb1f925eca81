/** Waiting for a run that the API did not wait for itself. */
import { api, type Schemas, take } from "../../api/client";

const PAUSE = 1000; // milliseconds between two looks

export async function untilEnded(runId: string): Promise<Schemas["RunDetailOut"]> {
  for (;;) {
    const run = await take(api.GET("/api/v1/runs/{run_id}", { params: { path: { run_id: runId } } }));
    if (run.ended_at) return run;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
