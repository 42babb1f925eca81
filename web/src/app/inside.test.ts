import { expect, test } from "vitest";
import { anId, word } from "./inside";

test("what is no id narrows nothing", () => {
  expect(anId("0199c0de-0000-7000-8000-000000000001")).toBe("0199c0de-0000-7000-8000-000000000001");
  for (const given of ["x", "", 7, undefined, "0199c0de-0000-7000-8000-00000000000g"]) {
    expect(anId(given)).toBeUndefined();
  }
});

test("a word of the address has nothing hidden in it", () => {
  expect(word("or\u0000ders")).toBe("orders");
  expect(word("\u0000")).toBeUndefined();
  expect(word(7)).toBeUndefined();
});
