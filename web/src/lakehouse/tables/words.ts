/** What a version of a table did, in words. */
const DONE: Record<string, string> = {
  write: "Rows written",
  "streaming update": "Rows added",
  merge: "Rows merged",
  delete: "Rows deleted",
  update: "Rows changed",
  restore: "Restored to an earlier version",
  optimize: "Small files put together",
  "create table": "Table made",
  "create table as select": "Table made, with rows",
  "create or replace table": "Table made anew",
  "create or replace table as select": "Table made anew, with rows",
  "replace table": "Table made anew",
  "replace table as select": "Table made anew, with rows",
  "add columns": "Columns added",
  "change column": "A column changed",
  "set tblproperties": "Settings changed",
  "vacuum start": "Old files being removed",
  "vacuum end": "Old files removed",
};

export function inWords({ operation, restored }: { operation: string; restored: number | null }): string {
  if (restored !== null) return `Restored to version ${restored}`;
  return DONE[operation] ?? operation.charAt(0).toUpperCase() + operation.slice(1);
}
