/** What a run's result says, of those kinds that leave counts; anything else says nothing here. */
export interface StreamDone {
  name: string;
  rows_written: number;
  rows_rejected: number;
  problem: string | null;
}

export interface Checked {
  kind: string;
  column: string | null;
  stop: boolean;
  met: boolean;
  found: string;
}

type Result = Record<string, unknown> | null;

const isObject = (given: unknown): given is Record<string, unknown> => typeof given === "object" && given !== null;
const text = (given: unknown) => (given === null || given === undefined ? "" : String(given));
const number = (given: unknown) => (typeof given === "number" ? given : 0);
const objects = (given: unknown) => (Array.isArray(given) ? given.filter(isObject) : []);

/** What each stream of a source brought. A look at a source has streams too, and these brought nothing. */
export function streamsDone(result: Result): StreamDone[] {
  return objects(result?.streams)
    .filter((one) => "rows_written" in one)
    .map((one) => ({
      name: text(one.name),
      rows_written: number(one.rows_written),
      rows_rejected: number(one.rows_rejected),
      problem: one.problem ? text(one.problem) : null,
    }));
}

/** How many streams it tells nothing of: they are not for the reader, or gone. */
export function streamsHidden(result: Result): number {
  return number(result?.hidden);
}

/** What was expected of the rows, and whether it was so. */
export function checked(result: Result): Checked[] {
  return objects(result?.expectations).map((one) => ({
    kind: text(one.kind),
    column: one.column ? text(one.column) : null,
    stop: one.stop === true,
    met: one.met === true,
    found: text(one.found),
  }));
}

/** “not null: receipt”. */
export function inWords(one: Pick<Checked, "kind" | "column">): string {
  const kind = one.kind.replaceAll("_", " ");
  return one.column ? `${kind}: ${one.column}` : kind;
}

/** What it says in a sentence, where it does. */
export function says(result: Result): string {
  return typeof result?.says === "string" ? result.says : "";
}
