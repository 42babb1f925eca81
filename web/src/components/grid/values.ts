/** Values of a result as a grid shows them: what is written in a cell, how wide that is, what a type is like. */

export interface GridColumn {
  name: string;
  type: string;
}

const NUMBERS = /^(tinyint|smallint|int|integer|bigint|long|short|byte|float|double|real|decimal|numeric)\b/i;
const LETTER = 8.4; // pixels, about
const AROUND = 30;
const NARROWEST = 72;
const WIDEST = 340;
const LOOKED_AT = 100;
/** More than this is not even put into the page; the whole is a click away. */
const SHOWN = 300;

export function isNumber(type: string): boolean {
  return NUMBERS.test(type);
}

/** Everything there is of a value, as text; what is nested stands over several lines. */
export function whole(value: unknown, lines = false): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return JSON.stringify(value, null, lines ? 2 : undefined);
  return String(value);
}

/** A value as its cell says it: on one line, and not without end. */
export function short(value: unknown, type: string): string {
  const text = whole(value);
  const said = type.startsWith("timestamp") && typeof value === "string" ? text.replace("T", " ") : text;
  const cut = said.length > SHOWN ? `${said.slice(0, SHOWN)}…` : said;
  return cut.replaceAll(/\s*[\r\n]+\s*/g, " ⏎ ");
}

/** How wide a column begins: so that its name and most of its first values fit. */
export function widthOf(column: GridColumn, at: number, rows: readonly (readonly unknown[])[]): number {
  const lengths = rows.slice(0, LOOKED_AT).map((row) => short(row[at], column.type).length);
  lengths.sort((one, other) => one - other);
  const most = lengths[Math.floor(lengths.length * 0.95)] ?? 0;
  const letters = Math.max(most, column.name.length + 1, Math.min(column.type.length, 22));
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, letters * LETTER + AROUND)));
}
