import { expect, test } from "vitest";
import { inLines, pairsOf } from "./pairs";

test("pairs are typed line by line", () => {
  const pairs = { Accept: "application/json", "X-From": "http://here:80" };
  expect(pairsOf("Accept: application/json\n\n X-From : http://here:80 ")).toEqual(pairs);
  expect(pairsOf(inLines(pairs))).toEqual(pairs);
  expect(pairsOf("  ")).toEqual({});
});
