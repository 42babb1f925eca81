import { expect, test } from "vitest";
import { withNew } from "./watching";

const line = (id: string) => ({ id, at: "2026-01-01T00:00:00Z", level: "info", text: id }) as never;

test("lines that were told already are not told again", () => {
  const known = [line("1"), line("2")];
  expect(withNew(known, [line("2"), line("3")])).toEqual([line("1"), line("2"), line("3")]);
});

test("nothing new leaves the same list, so that nothing is drawn again", () => {
  const known = [line("1")];
  expect(withNew(known, [line("1")])).toBe(known);
});
