import { expect, test } from "vitest";
import type { AccessTable } from "../known";
import { addressOf, cellInWords, decidedBy, litBy, speaksOf } from "./reading";

const yes = (...actions: string[]) => ({ allowed: true, actions, only_if: {} });
const no = { allowed: false, actions: [], only_if: {} };

const REPORT: AccessTable = {
  document: "access rights",
  page: "ownership-and-availability#report",
  name: "Report",
  governs: ["report"],
  rows_are: "who",
  actions: ["See", "Edit", "Run"],
  columns: [
    { name: "Can see", when: {} },
    { name: "Can edit, delete, or run", when: {} },
  ],
  rows: [
    { name: "Project Admin", listed: false, when: {}, cells: [yes("See"), yes("Edit", "Run")] },
    { name: "Report Owner", listed: true, when: {}, cells: [yes("See"), no] },
  ],
};
const CONNECTIONS: AccessTable = {
  ...REPORT,
  page: "spaces#can-view-data",
  name: "Can view data",
  governs: ["data_task"],
  rows_are: "actions",
  columns: [
    { name: "Is owner", when: {} },
    { name: "Can view data", when: {} },
  ],
  rows: [
    {
      name: "Edit data connection",
      listed: true,
      when: {},
      cells: [{ allowed: true, actions: [], only_if: { owner: ["yes"] } }, no],
    },
    { name: "List data tasks", listed: true, when: {}, cells: [yes(), yes()] },
  ],
};

test("cells read as in the documents", () => {
  expect(cellInWords(REPORT, 1, 0)).toBe("✓");
  expect(cellInWords(REPORT, 0, 1)).toBe("Edit, Run");
  expect(cellInWords(REPORT, 1, 1)).toBe("–");
  expect(cellInWords(CONNECTIONS, 0, 0)).toBe("if own");
  expect(cellInWords(CONNECTIONS, 1, 1)).toBe("✓");
  const everything = { ...REPORT, rows: [{ ...REPORT.rows[0], cells: [no, yes("See", "Edit", "Run")] }] };
  expect(cellInWords(everything as AccessTable, 0, 1)).toBe("All actions");
});

test("the cell that decided is found, also where headings have commas and several columns fit", () => {
  expect(litBy(REPORT, { row: "Report Owner", column: "Can edit, delete, or run" })).toEqual({ row: 1, columns: [1] });
  expect(litBy(CONNECTIONS, { row: "List data tasks", column: "Is owner, Can view data" })).toEqual({
    row: 1,
    columns: [0, 1],
  });
  expect(litBy(CONNECTIONS, { row: "List data tasks", column: "none of the columns" })).toEqual({
    row: 1,
    columns: [],
  });
  expect(litBy(REPORT, { row: "none of the rows", column: "" })).toBeUndefined();
});

test("of tables with one name the one that governs what was asked about decided", () => {
  const other = { ...CONNECTIONS, governs: ["data_space"] };
  const decision = { page: other.page, table: other.name, resource_type: "data_task" };
  expect(decidedBy([REPORT, other, CONNECTIONS], decision as never)).toBe(CONNECTIONS);
  expect(addressOf(CONNECTIONS, [other, CONNECTIONS])).toBe("spaces#can-view-data:data_task");
  expect(addressOf(REPORT, [REPORT, other])).toBe("ownership-and-availability#report");
});

test("a table is found by what it speaks of", () => {
  expect(speaksOf(REPORT, "owner")).toBe(true);
  expect(speaksOf(REPORT, "RUN")).toBe(true);
  expect(speaksOf(REPORT, "billing")).toBe(false);
});
