import { defaultStringifySearch } from "@tanstack/react-router";
import { expect, test } from "vitest";
import { anId, readSearch, searched, someOf, word } from "./inside";

test("what is no id narrows nothing", () => {
  expect(anId("0199c0de-0000-7000-8000-000000000001")).toBe("0199c0de-0000-7000-8000-000000000001");
  for (const given of ["x", "", 7, undefined, "0199c0de-0000-7000-8000-00000000000g"]) {
    expect(anId(given)).toBeUndefined();
  }
});

test("a word of the address has nothing hidden in it", () => {
  expect(word("or\u0000ders")).toBe("orders");
  expect(word("\u0000")).toBeUndefined();
  expect(word(["orders"])).toBeUndefined();
});

test("a search is the text that stands in the address, whatever it looks like", () => {
  for (const text of ["2026", "true", "1.10", "007", "1e5", "null", "12345678901234567890", "orders"]) {
    expect(searched(readSearch(`?search=${text}`)).search).toBe(text);
    expect(searched(readSearch(defaultStringifySearch({ search: text }))).search).toBe(text);
  }
  expect(readSearch('?version=3&columns=true&changes=[{"change":"x"}]')).toEqual({
    version: 3,
    columns: true,
    changes: [{ change: "x" }],
  });
});

test("of words that are known one can be written alone", () => {
  expect(someOf(["failed", "queued"], "failed")).toEqual(["failed"]);
  expect(someOf(["failed", "queued"], ["queued", "failed", "x"])).toEqual(["failed", "queued"]);
  expect([someOf(["failed"], "x"), someOf(["failed"], [])]).toEqual([undefined, undefined]);
});
