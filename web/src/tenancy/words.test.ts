import { expect, test } from "vitest";
import { rolesToGive, sameWords } from "./words";

test("owners are made by owners only, and an owner is still shown as one", () => {
  expect(rolesToGive(true)).toContain("owner");
  expect(rolesToGive(false)).not.toContain("owner");
  expect(rolesToGive(false, "owner")).toContain("owner");
});

test("words are the same in whatever order", () => {
  expect(sameWords(["a", "b"], ["b", "a"])).toBe(true);
  expect(sameWords(["a"], ["a", "b"])).toBe(false);
  expect(sameWords([], [])).toBe(true);
});
