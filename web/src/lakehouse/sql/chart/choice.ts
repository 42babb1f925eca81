/** How a result is drawn: what can be chosen, and what is chosen until somebody does. */
import { type GridColumn, isNumber } from "../../../components/grid/values";

export const MARKS = ["bar", "line", "area", "point"] as const;
export const WAYS = ["none", "sum", "mean", "min", "max", "count"] as const;
export type Mark = (typeof MARKS)[number];
export type Way = (typeof WAYS)[number];

/** Columns are told by their place; a result may call two of them the same. */
export interface Choice {
  mark: Mark;
  x: number;
  y: number;
  /** -1 for none. */
  colour: number;
  /** How the values of one place are put together. */
  how: Way;
}

export type Kind = "number" | "time" | "word" | "other";

const FEW = 12;

export function kindOf(type: string): Kind {
  if (isNumber(type)) return "number";
  if (/^(date|timestamp)/i.test(type)) return "time";
  return /^(string|varchar|char|boolean)/i.test(type) ? "word" : "other";
}

/** A choice as it stands in the address; what makes no sense is left out. */
export function readChoice(given: unknown): Partial<Choice> | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { mark, x, y, colour, how } = given as Record<string, unknown>;
  const place = (one: unknown) => (Number.isInteger(one) ? (one as number) : undefined);
  return {
    mark: MARKS.find((one) => one === mark),
    x: place(x),
    y: place(y),
    colour: place(colour),
    how: WAYS.find((one) => one === how),
  };
}

/** The chart that a result is shown as, or nothing for rows: what nobody chooses here is as it was saved. */
export function shownAs(
  { show, chart }: { show?: "rows" | "chart"; chart?: Partial<Choice> },
  saved: Partial<Choice> | undefined,
): Partial<Choice> | undefined {
  if (show === "rows" || (!show && !saved)) return undefined;
  return chart ?? saved ?? {};
}

/** Whether it is drawn otherwise than it was saved. */
export function isRedrawn(shown: Partial<Choice> | undefined, saved: Partial<Choice> | undefined): boolean {
  return shown !== undefined && JSON.stringify(readChoice(shown)) !== JSON.stringify(readChoice(saved));
}

type Rows = readonly (readonly unknown[])[];

const different = (rows: Rows, at: number) => new Set(rows.map((row) => row[at])).size;

/** What one would most likely draw: time along x if there is one, then words; numbers up. */
export function guess(columns: readonly GridColumn[], rows: Rows): Choice {
  const kinds = columns.map((column) => kindOf(column.type));
  const numbers = columns.flatMap((column, at) =>
    kinds[at] === "number" && !/(^|_)id$/i.test(column.name) ? [at] : [],
  );
  const time = kinds.indexOf("time");
  const word = kinds.indexOf("word");
  const [first, second] = numbers;
  if (time < 0 && word < 0 && first !== undefined && second !== undefined) {
    return { mark: "point", x: first, y: second, colour: -1, how: "none" };
  }
  const x = time >= 0 ? time : word >= 0 ? word : (first ?? 0);
  const y = numbers.find((at) => at !== x);
  const few = columns.findIndex((_, at) => at !== x && kinds[at] === "word" && isFew(different(rows, at)));
  const colour = time >= 0 ? few : -1;
  const repeats = new Set(rows.map((row) => `${row[x]} ${colour < 0 ? "" : row[colour]}`)).size < rows.length;
  const how: Way = y === undefined ? "count" : repeats ? "sum" : "none";
  return { mark: time >= 0 && rows.length > 2 ? "line" : "bar", x, y: y ?? x, colour, how };
}

const isFew = (count: number) => count > 1 && count <= FEW;

/** What somebody chose, and for the rest the guess; columns that are not there are not chosen. */
export function settled(chosen: Partial<Choice> | undefined, columns: readonly GridColumn[], rows: Rows): Choice {
  const guessed = guess(columns, rows);
  const there = (at: number | undefined, otherwise: number) =>
    at !== undefined && at >= 0 && at < columns.length ? at : otherwise;
  return {
    mark: chosen?.mark ?? guessed.mark,
    x: there(chosen?.x, guessed.x),
    y: there(chosen?.y, guessed.y),
    colour: chosen?.colour === -1 ? -1 : there(chosen?.colour, guessed.colour),
    how: chosen?.how ?? guessed.how,
  };
}

/** The chart in words, for whoever does not see it. */
export function inWords({ mark, x, y, colour, how }: Choice, columns: readonly GridColumn[]): string {
  const name = (at: number) => columns[at]?.name ?? "";
  const put = { none: "", sum: "sum of ", mean: "mean of ", min: "smallest ", max: "largest ", count: "" }[how];
  const up = how === "count" ? "how many rows" : `${put}${name(y)}`;
  const kinds = { bar: "Bars", line: "Lines", area: "Areas", point: "Points" };
  return `${kinds[mark]}: ${up} by ${name(x)}${colour < 0 ? "" : `, coloured by ${name(colour)}`}.`;
}
