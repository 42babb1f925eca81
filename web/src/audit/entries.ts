/** The audit's entries in words: what was done, what was different before and after, and when a day begins. */
import { api, type Schemas, take } from "../api/client";
import { anId } from "../app/inside";
import { endOfDay, startOfDay } from "../components/days";
import type { PageOf } from "../components/ResourceList";
import type { Sought } from "./routes";

export type Entry = Schemas["EntryOut"];

/** A page of what is looked for, newest first; the days are those of the reader's time zone. */
export function readEntries(
  { entry: _, since, until, ...sought }: Sought,
  zone: string,
  page: { cursor?: string; limit?: number },
): Promise<PageOf<Entry>> {
  const query = {
    ...sought,
    ...page,
    since: since && startOfDay(since, zone),
    until: until && endOfDay(until, zone),
  };
  return take(api.GET("/api/v1/audit", { params: { query } }));
}

/** “give level”, “view as”. */
export function inWords(word: string): string {
  return word.replaceAll("_", " ");
}

/** “table raw.orders”. */
export function whatItWasDoneTo(entry: Pick<Entry, "resource_type" | "resource_name" | "resource_id">): string {
  return `${inWords(entry.resource_type)} ${entry.resource_name || entry.resource_id}`.trim();
}

type Concerning = Pick<Entry, "actor" | "about" | "resource_name" | "before" | "after">;

/** Whom it concerns besides who did it and what it was done to: a member, or the group that was given or lost something. */
export function whomItConcerns({ actor, about, resource_name: itself, before, after }: Concerning) {
  if (about && about.id !== actor?.id) return about.name === itself ? undefined : about.name;
  const group = after?.group ?? before?.group;
  return typeof group === "string" ? group : undefined;
}

/** The differences on one line: without ids, which nobody reads, and of what was made without what it does not have. */
export function inShort(entry: Pick<Entry, "before" | "after">, zone: string): string {
  return differences(entry)
    .filter(({ before, after }) => ![before, after].some(anId) && ![before, after].every(isNothing))
    .map(({ name, before, after }) => {
      const values = [before, after].filter((value) => value !== undefined).map((value) => valueInWords(value, zone));
      return `${inWords(name)}: ${values.join(" → ")}`;
    })
    .join(", ");
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

export interface Difference {
  name: string;
  before: unknown;
  after: unknown;
}

/** What is not the same before and after; of what was made or deleted, everything. */
export function differences({ before, after }: Pick<Entry, "before" | "after">): Difference[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  names.delete("viewing_as");
  return [...names]
    .map((name) => ({ name, before: before?.[name], after: after?.[name] }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
}

/** As whom somebody viewed while they did or tried it. */
export function viewedAs({ after }: Pick<Entry, "after">): string | undefined {
  return (after as { viewing_as?: { name?: string } } | null)?.viewing_as?.name;
}

/** A value as people read it: “yes”, “–”, “a, b”; a moment in the reader's time zone. */
export function valueInWords(value: unknown, zone: string): string {
  if (value === undefined || value === null || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map((one) => valueInWords(one, zone)).join(", ") || "–";
  if (typeof value === "object") return JSON.stringify(value, null, 1);
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:\d{2})$/.test(value)) {
    return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: zone }).format(
      new Date(value),
    );
  }
  return String(value);
}
