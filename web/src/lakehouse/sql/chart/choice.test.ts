import { expect, test } from "vitest";
import { guess, inWords, isRedrawn, readChoice, settled, shownAs } from "./choice";
import { drawn, specOf } from "./spec";

const SALES = [
  { name: "sold_on", type: "date" },
  { name: "shop", type: "string" },
  { name: "shop_id", type: "int" },
  { name: "turnover", type: "decimal(12,2)" },
];
const ROWS = [
  ["2026-03-01", "Leeds", 1, "10.50"],
  ["2026-03-01", "York", 2, "7.00"],
  ["2026-03-02", "Leeds", 1, "12.25"],
  ["2026-03-02", "York", 2, "8.00"],
];

test("time goes along, what is measured goes up, a few words make colours", () => {
  expect(guess(SALES, ROWS)).toEqual({ mark: "line", x: 0, y: 3, colour: 1, how: "none" });
});

test("without a time, words stand side by side, and what repeats is summed", () => {
  const [, ...columns] = SALES;
  const rows = ROWS.map(([, ...row]) => row);
  expect(guess(columns, rows)).toEqual({ mark: "bar", x: 0, y: 2, colour: -1, how: "sum" });
});

test("two numbers are points, one is counted", () => {
  const numbers = [
    { name: "price", type: "double" },
    { name: "sold", type: "int" },
  ];
  expect(guess(numbers, [[1, 2]])).toMatchObject({ mark: "point", x: 0, y: 1 });
  expect(guess(numbers.slice(0, 1), [[1], [2]])).toMatchObject({ mark: "bar", how: "count" });
});

test("what is chosen stays as far as there are such columns", () => {
  const chosen = readChoice({ mark: "area", x: 1, y: 99, colour: -1, how: "mean", more: "nonsense" });
  expect(settled(chosen, SALES, ROWS)).toEqual({ mark: "area", x: 1, y: 3, colour: -1, how: "mean" });
  expect(readChoice("nonsense")).toBeUndefined();
  expect(readChoice({ mark: "pie", x: "0" })).toEqual({});
});

test("a chart is said in words", () => {
  expect(inWords(guess(SALES, ROWS), SALES)).toBe("Lines: turnover by sold_on, coloured by shop.");
});

test("decimals are drawn as numbers, and times without a zone as UTC", () => {
  expect(drawn("10.50", "decimal(12,2)")).toBe(10.5);
  expect(drawn("2026-03-01", "date")).toBe(Date.UTC(2026, 2, 1));
  expect(drawn("2026-03-01T12:00:00", "timestamp_ntz")).toBe(Date.UTC(2026, 2, 1, 12));
  expect(drawn(null, "int")).toBeNull();
  expect(drawn("not a day", "date")).toBeNull();
});

test("days are marked as days, moments as they are", () => {
  const spec = (type: string) =>
    specOf({ mark: "line", x: 0, y: 3, colour: 1, how: "none" }, [{ name: "sold_on", type }, ...SALES.slice(1)], ROWS);
  const days = { format: "%-d %b %Y", tickCount: "day" };
  expect(spec("date")).toMatchObject({ encoding: { x: { type: "temporal", axis: days } } });
  expect(spec("timestamp")).not.toHaveProperty("encoding.x.axis");
});

test("only what is drawn is handed over", () => {
  const spec = specOf({ mark: "bar", x: 1, y: 3, colour: -1, how: "sum" }, SALES, ROWS);
  expect(spec).toMatchObject({ data: { values: [{ c1: "Leeds", c3: 10.5 }, {}, {}, {}] } });
  expect(Object.keys((spec as { data: { values: object[] } }).data.values[0] ?? {})).toEqual(["c1", "c3"]);
});

test("what nobody chooses is shown as it was saved, and rows where it was not", () => {
  const saved = { mark: "line", x: 1 } as const;
  expect(shownAs({}, undefined)).toBeUndefined();
  expect(shownAs({}, saved)).toBe(saved);
  expect(shownAs({ show: "rows" }, saved)).toBeUndefined();
  expect(shownAs({ show: "chart" }, undefined)).toEqual({});
  expect(shownAs({ show: "chart", chart: { mark: "area" } }, saved)).toEqual({ mark: "area" });
});

test("a chart that is drawn otherwise is not saved yet; looking at the rows changes nothing", () => {
  const saved = readChoice({ mark: "line", x: 1, y: null });
  expect(isRedrawn({ x: 1, mark: "line" }, saved)).toBe(false);
  expect(isRedrawn({ x: 2, mark: "line" }, saved)).toBe(true);
  expect(isRedrawn({}, undefined)).toBe(true);
  expect(isRedrawn(undefined, saved)).toBe(false);
});
