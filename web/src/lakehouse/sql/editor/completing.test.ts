import { expect, test } from "vitest";
import { goesOn, wanted, written } from "./completing";

const TABLES = [{ table: "trusted.sales", alias: "s" }];

test("what a table is called in the statement stands for it", () => {
  expect(wanted("s.am", TABLES)).toEqual({ prefix: "trusted.sales.am", called: TABLES[0] });
  expect(wanted("S.", TABLES)).toMatchObject({ prefix: "trusted.sales." });
  expect(wanted("trusted.sa", TABLES)).toEqual({ prefix: "trusted.sa" });
  expect(wanted("`raw`.o", TABLES)).toEqual({ prefix: "raw.o" });
});

test("and its columns are offered under that name", () => {
  const offer = { kind: "column", text: "trusted.sales.amount", type: "int", description: "" } as const;
  expect(written(offer, TABLES[0])).toBe("s.amount");
  expect(written(offer, undefined)).toBe("trusted.sales.amount");
});

test("what was offered is offered on while the same name is written", () => {
  expect(goesOn("raw.o", "raw.ord")).toBe(true);
  expect(goesOn("f", "from raw")).toBe(false);
  expect(goesOn("ra", "raw.")).toBe(false);
  expect(goesOn("raw.o", "raw.")).toBe(false);
});
