/** What is being written, kept for this tab of the browser: a reload or a walk to other pages loses nothing. */
import { ME, queryClient } from "../../api/queries";

export interface Opened {
  saved?: string;
  query?: string;
}

const TEXT = "bailiwick.sql.text";
const OPENED = "bailiwick.sql.opened";
const KEPT = "bailiwick.sql.kept";

/** One text that is nobody's yet, and one for each saved query that was changed and not saved. */
const keyOf = (saved: string | undefined) => (saved ? `${TEXT}.${saved}` : TEXT);

/** Each has their own: whoever signs in here next, or views as somebody, finds nothing of others. */
const mine = (key: string) => `${key}@${queryClient.getQueryData<{ id: string }>(ME)?.id ?? ""}`;

function read(key: string): string | undefined {
  try {
    return sessionStorage.getItem(mine(key)) ?? undefined;
  } catch {
    return undefined; // the browser keeps nothing
  }
}

function write(key: string, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(mine(key));
    else sessionStorage.setItem(mine(key), text);
  } catch {
    // the browser keeps nothing, or no more
  }
}

export function draftOf(saved: string | undefined): string | undefined {
  return read(keyOf(saved));
}

export function keepDraft(saved: string | undefined, text: string | undefined): void {
  write(keyOf(saved), text);
}

/** What was open last, for whoever comes back without saying what they want. */
export function openedLast(): Opened {
  try {
    const { saved, query } = JSON.parse(read(OPENED) ?? "{}");
    return {
      saved: typeof saved === "string" ? saved : undefined,
      query: typeof query === "string" ? query : undefined,
    };
  } catch {
    return {};
  }
}

export function keepOpened(opened: Opened): void {
  write(OPENED, JSON.stringify(opened));
}

/** The text that something else took the place of, to be brought back. */
export function putAside(): string | undefined {
  return read(KEPT);
}

/** Another text takes the place of the one that is nobody's; words that were never run are kept aside. */
export function replaceDraft(text: string, wasRun: boolean): void {
  const before = draftOf(undefined) ?? "";
  if (before.trim() !== "" && before !== text && !wasRun) write(KEPT, before);
  keepDraft(undefined, text);
}

export function bringBack(): string | undefined {
  const kept = putAside();
  write(KEPT, undefined);
  if (kept !== undefined) keepDraft(undefined, kept);
  return kept;
}
