import { expect, test } from "vitest";
import { howMany, rolesToGive, sameWords } from "./words";

test("owners are made by owners only, and an owner is still shown as one", () => {
  expect(rolesToGive(true)).toContain("owner");
  expect(rolesToGive(false)).not.toContain("owner");
  expect(rolesToGive(false, "owner")).toContain("owner");
});

test("so many are counted in words", () => {
  expect(howMany(1, "member")).toBe("1 member");
  expect(howMany(1200, "member")).toBe("1,200 members");
  expect(howMany(2, "person", "people")).toBe("2 people");
});

test("words are the same in whatever order", () => {
  expect(sameWords(["a", "b"], ["b", "a"])).toBe(true);
  expect(sameWords(["a"], ["a", "b"])).toBe(false);
  expect(sameWords([], [])).toBe(true);
});
