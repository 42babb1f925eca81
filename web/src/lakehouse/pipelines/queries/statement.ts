/** A pipeline query as it is being written, and what is sent of it. */
import { api, type Schemas, take } from "../../../api/client";
import { untilEnded } from "../waiting";

export type Query = Schemas["PipelineQueryOut"];
export type DryRun = Schemas["DryRunOut"];
export type Expectation = Schemas["Expectation"];
export type Mode = Schemas["Statement"]["mode"];

export interface Draft {
  name: string;
  description: string;
  sql: string;
  mode: Mode;
  keys: string[];
  replace_schema: boolean;
  expectations: Expectation[];
  layer: string | null;
  table: string;
}

export function draftOf(query: Query | undefined): Draft {
  return {
    name: query?.name ?? "",
    description: query?.description ?? "",
    sql: query?.sql ?? "",
    mode: (query?.mode ?? "overwrite") as Mode,
    keys: query?.keys ?? [],
    replace_schema: query?.replace_schema ?? false,
    expectations: (query?.expectations ?? []) as unknown as Expectation[],
    layer: query?.output_layer?.id ?? null,
    table: query?.output_name ?? "",
  };
}

/** What runs and where its rows go: a dry run is of this, and holds until it is changed. */
export function statementOf(draft: Draft): Schemas["Statement"] {
  return {
    sql: draft.sql,
    mode: draft.mode,
    keys: draft.mode === "merge" ? draft.keys : [],
    replace_schema: draft.mode === "overwrite" && draft.replace_schema,
    expectations: draft.expectations,
    output_layer_id: draft.layer ?? "",
    output_name: draft.table,
  };
}

export async function dryRun(draft: Draft): Promise<DryRun> {
  const asked = (analysis?: string) =>
    take(api.POST("/api/v1/pipeline-queries/dry-run", { params: { query: { analysis } }, body: statementOf(draft) }));
  return untilThere(asked);
}

/** Saved as new, or as a change; with the dry run that was made of it, if there is one. */
export async function save(query: Query | undefined, draft: Draft, analysed?: string): Promise<Query> {
  const body = { ...statementOf(draft), name: draft.name, description: draft.description };
  return untilThere((analysis) => {
    const asked = { analysis: analysis ?? analysed };
    if (!query) return take(api.POST("/api/v1/pipeline-queries", { params: { query: asked }, body }));
    const header = { "If-Match": `"${query.version}"` };
    const params = { path: { pipeline_id: query.id }, header, query: asked };
    return take(api.PATCH("/api/v1/pipeline-queries/{pipeline_id}", { params, body }));
  });
}

/** Spark may take longer than the API waits: then the same is asked again, with the run that has ended by then. */
async function untilThere<T>(ask: (analysis?: string) => Promise<T | Schemas["StartedOut"]>): Promise<T> {
  const answer = await ask();
  if (!isStarted(answer)) return answer;
  await untilEnded(answer.run_id);
  const then = await ask(answer.run_id);
  if (isStarted(then)) throw new Error("Spark has not looked at it yet. Try again in a moment.");
  return then;
}

function isStarted(answer: unknown): answer is Schemas["StartedOut"] {
  return typeof answer === "object" && answer !== null && "run_id" in answer && "number" in answer;
}
