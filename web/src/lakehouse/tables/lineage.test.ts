import { expect, test } from "vitest";
import { columnInWords, columnsOf, type LineageOf, stepsOf, wayOf } from "./lineage";

const through = { kind: "pipeline query", id: "p", name: "Clean sales" };
const lineage: LineageOf = {
  tables: [
    { id: "raw", full_name: "raw.sales" },
    { id: "trusted", full_name: "trusted.sales" },
    { id: "daily", full_name: "service.daily" },
  ],
  flows: [
    {
      from_table: "raw",
      to_table: "trusted",
      through,
      columns: [
        { from_column: "price", to_column: "amount" },
        { from_column: "quantity", to_column: "amount" },
        { from_column: "quantity", to_column: "quantity" },
      ],
    },
    {
      from_table: "trusted",
      to_table: "daily",
      through,
      columns: [
        { from_column: "amount", to_column: "turnover" },
        { from_column: "quantity", to_column: "pieces" },
      ],
    },
  ],
};

test("a table shows the columns that something is known of", () => {
  expect(columnsOf(lineage).get("trusted")).toEqual(["amount", "quantity"]);
  expect(columnsOf({ ...lineage, flows: [] }).get("raw")).toEqual([]);
});

test("a column's way goes up to all it comes from, and down to all it goes into, and not to its neighbours", () => {
  const { up, down } = wayOf(stepsOf(lineage), "trusted.amount");
  expect([...up].map((step) => step.from).sort()).toEqual(["raw.price", "raw.quantity"]);
  expect([...down].map((step) => step.to)).toEqual(["daily.turnover"]);
});

test("a table that goes into itself ends the way", () => {
  const around = stepsOf({
    ...lineage,
    flows: [{ from_table: "raw", to_table: "raw", through, columns: [{ from_column: "a", to_column: "a" }] }],
  });
  expect(wayOf(around, "raw.a").up.size).toBe(1);
});

test("a column is named as statements name it", () => {
  expect(columnInWords(lineage, "daily.turnover")).toBe("service.daily.turnover");
});
