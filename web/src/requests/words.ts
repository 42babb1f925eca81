/** What is asked for, in words, and the choices there are. */
import type { Schemas } from "../api/client";

export type AccessRequest = Schemas["AccessRequestOut"];

export const LEVELS = ["Viewer", "Editor", "Manager"] as const;
export const ROLES = ["Business User", "Technical User", "Admin"] as const;
export type Level = (typeof LEVELS)[number];
export type Role = (typeof ROLES)[number];

export const STATES = ["waiting", "granted", "declined", "withdrawn", "lapsed"] as const;
export type State = (typeof STATES)[number];

export const KINDS = ["table", "volume", "layer", "project"] as const;
export type Kind = (typeof KINDS)[number];

/** What a name is most likely the name of: statements write tables, people write projects. */
export function likelyKind(name: string): Kind {
  return /^[a-z][a-z0-9_]*$|^[a-z]\w*\.\w+$/i.test(name) && !/^[A-Z][^.]*$/.test(name) ? "table" : "project";
}

/** “Viewer on table raw.orders”, “Admin in project Sales”; of one that was granted what was given, and if that is not
 * what was asked for, that too. */
export function inWords(request: Pick<AccessRequest, "level" | "role" | "resource" | "outcome">): string {
  const { level, role, resource, outcome } = request;
  const asked = level ?? role;
  const given = outcome?.level ?? outcome?.role ?? asked;
  const instead = given === asked ? "" : ` (asked for ${asked})`;
  return `${given} ${resource.type === "project" ? "in" : "on"} ${resource.type} ${resource.name}${instead}`;
}

/** Whether what was given is over: its time is up. */
export function hasEnded({ state, outcome }: Pick<AccessRequest, "state" | "outcome">, now = new Date()): boolean {
  return state === "granted" && !!outcome?.expires_at && new Date(outcome.expires_at) <= now;
}

/** Whether an answer to this request can still help whoever was refused then: it waits, it was declined, or it was given
 * since. What had been given before, and did not help, is over or was taken away. */
export function isStillOpen(request: Pick<AccessRequest, "state" | "outcome">, refusedAt: string): boolean {
  if (request.state !== "granted") return request.state === "waiting" || request.state === "declined";
  return !hasEnded(request) && request.outcome !== null && new Date(request.outcome.at) > new Date(refusedAt);
}

/** So many days from now, as the API writes moments; none: for good. */
export function daysFromNow(days: number | "", now = new Date()): string | null {
  return days === "" ? null : new Date(now.getTime() + days * 86_400_000).toISOString();
}
