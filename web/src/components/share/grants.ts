/** The levels on a layer, table or volume: reading, giving, changing and taking them. */
import { type Query, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../api/client";
import type { Change } from "../GainAndLoss";

export interface On {
  type: "layer" | "table" | "volume";
  id: string;
  name: string;
}

export type Grant = Schemas["GrantOut"];
export type Level = Grant["level"];
export type Holder = { member: string } | { group: string };

export const MANAGE = "manage_users_viewer_editor";
export const MANAGE_MANAGERS = "manage_users_manager";

type Given = Holder & { level: Level; expires_at: string | null };
type Changed = Partial<Pick<Grant, "level" | "expires_at">>;
interface Path {
  target_id: string;
}
const match = (grant: Grant) => ({ "If-Match": `"${grant.version}"` });

/** The same four routes for each of them. */
const ROUTES = {
  layer: {
    list: (path: Path, cursor?: string) =>
      take(api.GET("/api/v1/layers/{target_id}/grants", { params: { path, query: { cursor } } })),
    give: (path: Path, body: Given) => take(api.POST("/api/v1/layers/{target_id}/grants", { params: { path }, body })),
    change: (path: Path, grant: Grant, body: Changed) =>
      take(
        api.PATCH("/api/v1/layers/{target_id}/grants/{grant_id}", {
          params: { path: { ...path, grant_id: grant.id }, header: match(grant) },
          body,
        }),
      ),
    take: (path: Path, grant: Grant) =>
      api.DELETE("/api/v1/layers/{target_id}/grants/{grant_id}", {
        params: { path: { ...path, grant_id: grant.id }, header: match(grant) },
      }),
  },
  table: {
    list: (path: Path, cursor?: string) =>
      take(api.GET("/api/v1/tables/{target_id}/grants", { params: { path, query: { cursor } } })),
    give: (path: Path, body: Given) => take(api.POST("/api/v1/tables/{target_id}/grants", { params: { path }, body })),
    change: (path: Path, grant: Grant, body: Changed) =>
      take(
        api.PATCH("/api/v1/tables/{target_id}/grants/{grant_id}", {
          params: { path: { ...path, grant_id: grant.id }, header: match(grant) },
          body,
        }),
      ),
    take: (path: Path, grant: Grant) =>
      api.DELETE("/api/v1/tables/{target_id}/grants/{grant_id}", {
        params: { path: { ...path, grant_id: grant.id }, header: match(grant) },
      }),
  },
  volume: {
    list: (path: Path, cursor?: string) =>
      take(api.GET("/api/v1/volumes/{target_id}/grants", { params: { path, query: { cursor } } })),
    give: (path: Path, body: Given) => take(api.POST("/api/v1/volumes/{target_id}/grants", { params: { path }, body })),
    change: (path: Path, grant: Grant, body: Changed) =>
      take(
        api.PATCH("/api/v1/volumes/{target_id}/grants/{grant_id}", {
          params: { path: { ...path, grant_id: grant.id }, header: match(grant) },
          body,
        }),
      ),
    take: (path: Path, grant: Grant) =>
      api.DELETE("/api/v1/volumes/{target_id}/grants/{grant_id}", {
        params: { path: { ...path, grant_id: grant.id }, header: match(grant) },
      }),
  },
};

export function listGrants(on: On, cursor?: string): Promise<Schemas["GrantsOut"]> {
  return ROUTES[on.type].list({ target_id: on.id }, cursor);
}

/** A change of levels; what others see of the data, and through it, is asked for anew. */
function useChanging<Sent>(change: (sent: Sent) => Promise<unknown>, onDone: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      onDone();
      const touched = ["layers", "tables", "volumes", "access", "groups"];
      // What would change if it were made makes no sense any more.
      const isAsked = (query: Query) => query.queryKey[1] !== "what-if";
      await Promise.all(touched.map((key) => cache.invalidateQueries({ queryKey: [key], predicate: isAsked })));
    },
  });
}

export function useGive(on: On, onDone: () => void) {
  return useChanging((given: Given) => ROUTES[on.type].give({ target_id: on.id }, given), onDone);
}

export function useChange(on: On, grant: Grant, onDone: () => void) {
  return useChanging((changed: Changed) => ROUTES[on.type].change({ target_id: on.id }, grant, changed), onDone);
}

export function useTake(on: On, grant: Grant, onDone: () => void) {
  return useChanging(() => ROUTES[on.type].take({ target_id: on.id }, grant), onDone);
}

/** The question that is asked before it is saved. */
export function asChange(change: "give_level" | "change_level" | "take_level", on: On, holder: Holder, level?: Level) {
  return { change, [on.type]: on.id, ...holder, ...(level ? { level } : {}) } as Change;
}

export function holderOf({ holder }: Grant): Holder {
  return holder.kind === "member" ? { member: holder.id } : { group: holder.id };
}
