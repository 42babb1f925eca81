/** Asking a query, and what is known of the ones that were asked. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../api/client";

export type Asked = Schemas["QueryOut"];
export type SavedQuery = Schemas["SavedQueryOut"];

const LOOKED_AGAIN = 2000; // milliseconds: should the server's own telling not reach us
/** It tells of everything as it happens; nobody waits at the door. */
const NOT_WAITING = { query: { wait: 0 } };

export const askedQuery = (id: string) =>
  queryOptions({
    queryKey: ["queries", id],
    queryFn: () => take(api.GET("/api/v1/queries/{query_id}", { params: { path: { query_id: id } } })),
    refetchInterval: ({ state }) => (state.data?.ended_at === null ? LOOKED_AGAIN : false),
    staleTime: ({ state }) => (state.data?.ended_at ? Number.POSITIVE_INFINITY : 0),
  });

export const savedQuery = (id: string) =>
  queryOptions({
    queryKey: ["saved-queries", id],
    queryFn: () => take(api.GET("/api/v1/saved-queries/{query_id}", { params: { path: { query_id: id } } })),
    staleTime: 10_000,
  });

/** Runs a saved query as it is saved, or else the statement. */
export function useAsking(onAsked: (asked: Asked) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ sql, saved }: { sql: string; saved?: SavedQuery }) =>
      saved?.sql === sql
        ? take(
            api.POST("/api/v1/saved-queries/{query_id}/runs", {
              params: { path: { query_id: saved.id }, ...NOT_WAITING },
            }),
          )
        : take(api.POST("/api/v1/queries", { params: NOT_WAITING, body: { sql } })),
    onSuccess: (asked) => {
      cache.setQueryData(askedQuery(asked.id).queryKey, asked);
      void cache.invalidateQueries({ queryKey: ["queries", "list"] });
      onAsked(asked);
    },
  });
}
