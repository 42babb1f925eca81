/** What can be read off a statement, and off what is said about one, without understanding all of it. */

export interface NamedTable {
  table: string;
  /** What the statement calls it. */
  alias: string;
}

const NAMED =
  /\b(?:from|join|table)\s+`?(\w+)`?\s*\.\s*`?(\w+)`?(?:\s+(?:as\s+)?(\w+))?|,\s*(\w+)\.(\w+)(?:\s+(?:as\s+)?(\w+))?/gi;
/** Words that may follow a table and are no name for it. */
const NO_ALIAS = new Set(
  "where group order having limit on using join left right inner outer full cross semi anti natural union except intersect lateral window qualify pivot unpivot tablesample version timestamp cluster sort distribute set select offset as".split(
    " ",
  ),
);
/** Texts, comments and quoted names: what stands in them is no SQL. */
const SILENT = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** The tables that a statement names, as far as it is written. */
export function namedTables(sql: string): NamedTable[] {
  const found = sql.replaceAll(SILENT, (silent) => " ".repeat(silent.length)).matchAll(NAMED);
  return [...found].map(([, layer, table, alias, otherLayer, otherTable, otherAlias]) => {
    const name = table ?? otherTable ?? "";
    const called = alias ?? otherAlias;
    const isAlias = called !== undefined && !NO_ALIAS.has(called.toLowerCase());
    return { table: `${layer ?? otherLayer}.${name}`, alias: isAlias ? called : name };
  });
}

export interface Place {
  line: number;
  position: number;
}

/** Where in the statement something is wrong, if that is said; both count from one. */
export function placeIn(message: string): Place | undefined {
  const [, line, position] = /\(line (\d+), position (\d+)\)/.exec(message) ?? [];
  return line && position ? { line: Number(line), position: Number(position) } : undefined;
}

/** What is wrong, without the place and the statement, which the editor shows. */
export function withoutPlace(message: string): string {
  return message
    .replace(/\n?== SQL \(line \d+, position \d+\) ==[\s\S]*$/, "")
    .replace(/ ?\(line \d+, position \d+\)/, "")
    .trim();
}

/** Where a place of a statement lies in the text that holds it; nothing if the text no longer does. */
export function offsetOf(text: string, sql: string, place: Place): number | undefined {
  const from = text.indexOf(sql);
  if (from < 0) return undefined;
  const before = sql.split("\n").slice(0, place.line - 1);
  const offset = before.reduce((sum, line) => sum + line.length + 1, 0) + place.position - 1;
  return from + Math.min(offset, sql.length);
}

/** The tables that a refusal is about: they are not there, or not for whoever asks. */
export function missingTables(problem: { code: string; message: string }): string[] {
  if (problem.code !== "table_not_found") return [];
  const [, names = ""] = /: (.+)\.$/s.exec(problem.message) ?? [];
  return names.split(", ").filter((name) => name !== "");
}

/** “850 ms”, “12.3 s”, “2 min 5 s”. */
export function lasted(milliseconds: number): string {
  const passed = Math.max(0, milliseconds);
  if (passed < 1000) return `${Math.round(passed)} ms`;
  if (passed < 60_000) return `${(passed / 1000).toFixed(1)} s`;
  return `${Math.floor(passed / 60_000)} min ${Math.round((passed % 60_000) / 1000)} s`;
}
