import { expect, test } from "vitest";
import { fittingName, isName } from "./names";

test.each([
  ["Orders 2024.csv", "orders_2024_csv"],
  ["2024", "t_2024"],
  ["***", "t"],
  ["public.orders", "public_orders"],
])("%s lands in %s", (stream, table) => {
  expect(fittingName(stream)).toBe(table);
});

test("what fits is a name, and what was meant need not be", () => {
  expect(isName("orders_2024")).toBe(true);
  for (const meant of ["My files", "2024", "Ümlaut", "a".repeat(70)]) {
    expect(isName(meant)).toBe(false);
    expect(isName(fittingName(meant))).toBe(true);
  }
});
