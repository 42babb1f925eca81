/** The levels on a layer, table or volume: reading, giving, changing and taking them. */
import { type Query, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../api/client";
import type { Change } from "../GainAndLoss";
import { doneWithUndo } from "../undo";

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

/** The same routes for each of them. */
const grantsOf = (on: On) => `/api/v1/${on.type}s/{target_id}/grants` as const;
const grantOf = (on: On) => `${grantsOf(on)}/{grant_id}` as const;

export function listGrants(on: On, page: { cursor?: string; search?: string }): Promise<Schemas["GrantsOut"]> {
  return take(api.GET(grantsOf(on), { params: { path: { target_id: on.id }, query: page } }));
}

function give(on: On, body: Given): Promise<Grant> {
  return take(api.POST(grantsOf(on), { params: { path: { target_id: on.id } }, body }));
}

function change(on: On, grant: Grant, body: Changed): Promise<Grant> {
  return take(api.PATCH(grantOf(on), { params: which(on, grant), body }));
}

function takeBack(on: On, grant: Grant): Promise<unknown> {
  return api.DELETE(grantOf(on), { params: which(on, grant) });
}

const which = (on: On, grant: Grant) => ({
  path: { target_id: on.id, grant_id: grant.id },
  header: { "If-Match": `"${grant.version}"` },
});

/** A change of levels, with its way back; what others see of the data, and through it, is asked for anew. */
function useChanging<Sent, Answer>(change: (sent: Sent) => Promise<Answer>, done: (answer: Answer) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer) => {
      done(answer);
      const touched = ["layers", "tables", "volumes", "access", "groups"];
      // What would change if it were made makes no sense any more.
      const isAsked = (query: Query) => query.queryKey[1] !== "what-if";
      await Promise.all(touched.map((key) => cache.invalidateQueries({ queryKey: [key], predicate: isAsked })));
    },
  });
}

export function useGive(on: On, onDone: () => void) {
  return useChanging(
    (given: Given) => give(on, given),
    (grant) => {
      onDone();
      doneWithUndo(`${grant.holder.name} has ${grant.level} on ${on.name}.`, () => takeBack(on, grant));
    },
  );
}

export function useChange(on: On, grant: Grant, onDone: () => void) {
  const { holder, level, expires_at } = grant;
  return useChanging(
    (changed: Changed) => change(on, grant, changed),
    (now) => {
      onDone();
      doneWithUndo(`${holder.name} has ${now.level} on ${on.name}.`, () => change(on, now, { level, expires_at }));
    },
  );
}

export function useTake(on: On, grant: Grant, onDone: () => void) {
  const { holder, level, expires_at } = grant;
  return useChanging(
    () => takeBack(on, grant),
    () => {
      onDone();
      const back = { ...holderOf(grant), level, expires_at };
      doneWithUndo(`${level} on ${on.name} is taken from ${holder.name}.`, () => give(on, back));
    },
  );
}

/** The question that is asked before it is saved. */
export function asChange(change: "give_level" | "change_level" | "take_level", on: On, holder: Holder, level?: Level) {
  return { change, [on.type]: on.id, ...holder, ...(level ? { level } : {}) } as Change;
}

export function holderOf({ holder }: Grant): Holder {
  return holder.kind === "member" ? { member: holder.id } : { group: holder.id };
}
