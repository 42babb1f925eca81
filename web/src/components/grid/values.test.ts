import { expect, test } from "vitest";
import { moved } from "./moving";
import { isNumber, short, whole, widthOf } from "./values";

test.each([
  ["bigint", true],
  ["decimal(10,2)", true],
  ["double", true],
  ["string", false],
  ["interval day", false],
  ["array<int>", false],
  ["timestamp", false],
])("%s is a number: %s", (type, number) => {
  expect(isNumber(type)).toBe(number);
});

test("what is nested is said on one line, and in full over several", () => {
  const value = { shop: "Leeds", lines: [1, 2] };
  expect(short(value, "struct<…>")).toBe('{"shop":"Leeds","lines":[1,2]}');
  expect(whole(value, true)).toContain('\n  "shop": "Leeds"');
});

test("a long text is cut, a new line is seen, a time is legible", () => {
  expect(short("x".repeat(5000), "string")).toHaveLength(301);
  expect(short("one\ntwo", "string")).toBe("one ⏎ two");
  expect(short("2026-03-01T12:00:00Z", "timestamp")).toBe("2026-03-01 12:00:00Z");
});

test("columns are as wide as most of what they hold, within bounds", () => {
  const column = { name: "note", type: "string" };
  const rows = [["short"], ["x".repeat(2000)]];
  expect(widthOf({ name: "n", type: "int" }, 0, [])).toBe(72);
  expect(widthOf(column, 0, rows)).toBe(340);
  expect(widthOf({ name: "a_rather_long_name", type: "int" }, 0, [[1]])).toBeGreaterThan(130);
});

test("keys lead from cell to cell, and not out of the grid", () => {
  const size = { rows: 100_000, columns: 3, page: 20 };
  const press = (key: string, ctrlKey = false) => ({ key, ctrlKey, metaKey: false });
  const from = { row: 5, column: 1 };
  expect(moved(from, press("ArrowDown"), size)).toEqual({ row: 6, column: 1 });
  expect(moved({ row: 0, column: 0 }, press("ArrowUp"), size)).toEqual({ row: 0, column: 0 });
  expect(moved(from, press("PageDown"), size)).toEqual({ row: 25, column: 1 });
  expect(moved(from, press("End"), size)).toEqual({ row: 5, column: 2 });
  expect(moved(from, press("End", true), size)).toEqual({ row: 99_999, column: 2 });
  expect(moved(from, press("ArrowDown", true), size)).toEqual({ row: 99_999, column: 1 });
  expect(moved(from, press("a"), size)).toBeUndefined();
});
