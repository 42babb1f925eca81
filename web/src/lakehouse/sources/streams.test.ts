import { expect, test } from "vitest";
import type { Found } from "./look";
import { firstWish, isComplete, streamOf } from "./streams";

const orders: Found = {
  name: "Orders 2024.csv",
  id: null,
  columns: [{ name: "id", type: "bigint", nullable: false }],
  primary_key: ["id"],
  read: { type: "http", path: "orders" },
  sample: [],
  about: "",
  problem: null,
};

test("a stream that was found is read in full until somebody says otherwise", () => {
  const sent = streamOf(orders, firstWish(orders));
  expect(sent.settings).toMatchObject({ mode: "full", primary_key: ["id"], cursor_column: null });
  expect(sent.output_name).toBe("orders_2024_csv");
});

test("reading what is new takes the column that grows, but for files", () => {
  const wish = { ...firstWish(orders), mode: "incremental" as const };
  expect(isComplete(orders, wish)).toBe(false);
  expect(isComplete(orders, { ...wish, cursor: "id" })).toBe(true);
  expect(isComplete({ ...orders, read: { type: "files", pattern: "*.csv" } }, wish)).toBe(true);
});
