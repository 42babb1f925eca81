/** How the documents' tables read: what a cell says, which cell decided, and where a word is found. */
import type { Decision } from "../../api/client";
import type { AccessTable } from "../known";

export const ALL = "All actions";

/** “✓”, “–”, “if own”, “All actions”, or the actions: as it stands in the document. */
export function cellInWords(table: AccessTable, row: number, column: number): string {
  const cell = table.rows[row]?.cells[column];
  if (!cell?.allowed) return "–";
  if (table.rows_are === "actions") return Object.keys(cell.only_if).length > 0 ? "if own" : "✓";
  if (isAboutOne(table, column)) return "✓";
  return cell.actions.length === table.actions.length ? ALL : cell.actions.join(", ");
}

/** A column that speaks of one action only is ticked instead of naming it over and over. */
export function isAboutOne(table: AccessTable, column: number): boolean {
  return new Set(table.rows.flatMap((row) => row.cells[column]?.actions ?? [])).size <= 1;
}

/** The table a decision was made by: some share a page and a name, and govern different things. */
export function decidedBy(tables: readonly AccessTable[], decision: Decision): AccessTable | undefined {
  const named = tables.filter((table) => table.page === decision.page && table.name === decision.table);
  return named.find((table) => table.governs.includes(decision.resource_type)) ?? named[0];
}

export interface Lit {
  row: number;
  columns: number[];
}

/** The row and the columns that decided; several columns are named one after the other. None where nothing fits. */
export function litBy(table: AccessTable, { row, column }: Pick<Decision, "row" | "column">): Lit | undefined {
  const at = table.rows.findIndex((line) => line.name === row);
  if (at < 0) return undefined;
  const named = `, ${column}, `;
  const columns = table.columns.flatMap(({ name }, position) => (named.includes(`, ${name}, `) ? [position] : []));
  return { row: at, columns };
}

/** Where a document's tables speak of something: in a name, a heading, a row, or an action of a cell. */
export function speaksOf(table: AccessTable, sought: string): boolean {
  const words = [
    table.name,
    table.document,
    ...table.governs.map((type) => type.replaceAll("_", " ")),
    ...table.columns.map((column) => column.name),
    ...table.rows.map((row) => row.name),
    ...table.actions,
  ];
  const small = sought.toLowerCase();
  return words.some((word) => word.toLowerCase().includes(small));
}

/** An address of its own for each table: its page, and what tells those of one page apart. */
export function addressOf(table: AccessTable, tables: readonly AccessTable[]): string {
  const alike = tables.filter((other) => other.page === table.page);
  return alike.length === 1 ? table.page : `${table.page}:${table.governs[0]}`;
}
