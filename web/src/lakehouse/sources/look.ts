/** A look at a source: whether it answers, and what it holds. */
import { api, type Schemas, take } from "../../api/client";
import { untilEnded } from "../pipelines/waiting";

export type Look = Schemas["LookOut"];
export type Found = Schemas["FoundStreamOut"];

export async function look(what: "test" | "discover", sourceId: string): Promise<Look> {
  const asked = { params: { path: { pipeline_id: sourceId }, query: { wait: 30 } } };
  const seen =
    what === "test"
      ? await take(api.POST("/api/v1/sources/{pipeline_id}/test", asked))
      : await take(api.POST("/api/v1/sources/{pipeline_id}/discover", asked));
  if (seen.ended_at) return seen;
  const run = await untilEnded(seen.run_id);
  const { says = "", streams = [] } = (run.result ?? {}) as Partial<Look>;
  return { ...seen, state: run.state, ended_at: run.ended_at, problem: run.problem, says, streams };
}
