/** Lineage as a graph: what is drawn, and which way one column's data goes. */
import type { Schemas } from "../../api/client";

export type LineageOf = Schemas["LineageOut"];

/** A column of a table, as one word. */
export function columnKey(table: string, column: string): string {
  return `${table}.${column}`;
}

/** The columns of each table that something is known of, in the order of the alphabet. */
export function columnsOf(lineage: LineageOf): Map<string, string[]> {
  const found = new Map<string, Set<string>>(lineage.tables.map((table) => [table.id, new Set()]));
  for (const flow of lineage.flows) {
    for (const { from_column, to_column } of flow.columns) {
      found.get(flow.from_table)?.add(from_column);
      found.get(flow.to_table)?.add(to_column);
    }
  }
  return new Map([...found].map(([table, columns]) => [table, [...columns].sort()]));
}

export interface Step {
  from: string;
  to: string;
  through: string;
}

/** Every step from column to column. */
export function stepsOf(lineage: LineageOf): Step[] {
  return lineage.flows.flatMap((flow) =>
    flow.columns.map(({ from_column, to_column }) => ({
      from: columnKey(flow.from_table, from_column),
      to: columnKey(flow.to_table, to_column),
      through: flow.through.name,
    })),
  );
}

/** What a column comes from, and what it goes into; not what else these go into. */
export function wayOf(steps: readonly Step[], column: string): { up: Set<Step>; down: Set<Step> } {
  return { up: followed(steps, column, "to", "from"), down: followed(steps, column, "from", "to") };
}

function followed(steps: readonly Step[], start: string, here: "from" | "to", there: "from" | "to"): Set<Step> {
  const found = new Set<Step>();
  const reached = new Set([start]);
  const open = [start];
  for (let column = open.pop(); column !== undefined; column = open.pop()) {
    for (const step of steps) {
      if (step[here] !== column) continue;
      found.add(step);
      if (reached.has(step[there])) continue;
      reached.add(step[there]);
      open.push(step[there]);
    }
  }
  return found;
}

/** “raw.sales.price”. */
export function columnInWords(lineage: LineageOf, key: string): string {
  const at = key.indexOf(".");
  const table = lineage.tables.find((one) => one.id === key.slice(0, at));
  return `${table?.full_name ?? "a table"}.${key.slice(at + 1)}`;
}
