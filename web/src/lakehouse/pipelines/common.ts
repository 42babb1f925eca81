/** What the API has for pipelines of every kind alike. */
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../api/client";
import { queryClient } from "../../api/queries";
import { inTurn } from "../../api/turns";
import type { Kind } from "./kinds";

/** What is the same about pipelines of every kind. */
export type Pipeline = Omit<Schemas["SourceOut"], "connection" | "has_secret">;

// Every kind has the same routes, with the same types but for what is its own: those of one stand for all.
const at = (kind: Kind) => `/api/v1/${kind.resource}` as "/api/v1/sources";

const on = (pipeline: Pipeline) => ({
  path: { pipeline_id: pipeline.id },
  header: { "If-Match": `"${pipeline.version}"` },
});

export const setActive = (kind: Kind, pipeline: Pipeline, active: boolean): Promise<Pipeline> =>
  active
    ? take(api.POST(`${at(kind)}/{pipeline_id}/activate`, { params: on(pipeline) }))
    : take(api.POST(`${at(kind)}/{pipeline_id}/deactivate`, { params: on(pipeline) }));

export const start = (kind: Kind, pipeline: Pipeline) =>
  take(api.POST(`${at(kind)}/{pipeline_id}/runs`, { params: { path: { pipeline_id: pipeline.id } } }));

export const changeOwner = (kind: Kind, pipeline: Pipeline, owner_id: string): Promise<Pipeline> =>
  take(api.PUT(`${at(kind)}/{pipeline_id}/owner`, { params: on(pipeline), body: { owner_id } }));

export const remove = (kind: Kind, pipeline: Pipeline, confirm: string) =>
  take(api.DELETE(`${at(kind)}/{pipeline_id}`, { params: { ...on(pipeline), query: { confirm } } }));

/** Every pipeline of a kind whose name has this in it, to choose from. */
export const choicesOf = (kind: Kind, search: string) =>
  queryOptions({
    queryKey: [kind.resource, "choices", search],
    queryFn: ({ signal }) =>
      inTurn(`${kind.resource} choices`, signal, () =>
        take(api.GET(at(kind), { params: { query: { search: search || undefined, limit: 20 } } })),
      ),
  });

/** A pipeline has changed: its page shows it, and its lists ask again. */
export async function changed(kind: Kind, now: Pipeline): Promise<void> {
  queryClient.setQueryData<object>([kind.resource, now.id], (before) => ({ ...before, ...now }));
  await queryClient.invalidateQueries({
    queryKey: [kind.resource],
    predicate: (query) => query.queryKey[1] !== now.id,
  });
}
