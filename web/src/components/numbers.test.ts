import { expect, test } from "vitest";
import { counted, howMany, sized } from "./numbers";

test("so many are counted in words", () => {
  expect(howMany(1, "member")).toBe("1 member");
  expect(howMany(0, "member")).toBe("0 members");
  expect(howMany(1200, "member")).toBe("1,200 members");
  expect(howMany(2, "person", "people")).toBe("2 people");
});

test("where nobody knows how many there is a dash", () => {
  expect(counted(null)).toBe("–");
  expect(counted(12345)).toBe("12,345");
  expect(sized(null)).toBe("–");
  expect(sized(1_234_567)).toBe("1.2 MB");
});
