import { expect, test } from "vitest";
import { differences, inShort, valueInWords, viewedAs, whatItWasDoneTo, whomItConcerns } from "./entries";

test("only what is different is shown; of what is new, everything", () => {
  const before = { level: "Viewer", member: "Ben", expires_at: null };
  expect(differences({ before, after: { ...before, level: "Editor" } })).toEqual([
    { name: "level", before: "Viewer", after: "Editor" },
  ]);
  expect(differences({ before: null, after: { name: "raw", viewing_as: { name: "Ben" } } })).toEqual([
    { name: "name", before: undefined, after: "raw" },
  ]);
  expect(differences({ before: { tags: ["a"] }, after: { tags: ["a"] } })).toEqual([]);
});

test("as whom somebody viewed is told apart from what changed", () => {
  expect(viewedAs({ after: { viewing_as: { id: "01a1", name: "Ben" }, path: "/x" } })).toBe("Ben");
  expect(viewedAs({ after: null })).toBeUndefined();
});

test("values read as words", () => {
  expect(valueInWords(true, "UTC")).toBe("yes");
  expect(valueInWords(null, "UTC")).toBe("–");
  expect(valueInWords(["a", "b"], "UTC")).toBe("a, b");
  expect(valueInWords("2026-01-31T10:00:00+00:00", "Europe/Berlin")).toBe("31 Jan 2026, 11:00");
});

test("what has no name is called by its id", () => {
  expect(whatItWasDoneTo({ resource_type: "api_token", resource_name: "", resource_id: "7" })).toBe("api token 7");
});

test("a line tells what is different, and of what was made what it has", () => {
  const made = { role: "Admin", expires_at: null, note: "", id: "01a1f02f-ff14-7711-9040-689f62efa39f" };
  expect(inShort({ before: null, after: made }, "UTC")).toBe("role: Admin");
  expect(inShort({ before: { role: "Admin" }, after: { role: null } }, "UTC")).toBe("role: Admin → –");
});

test("whom it concerns is a member, or else a group, and not who did it", () => {
  const ada = { id: "1", name: "Ada", email: null };
  const ben = { id: "2", name: "Ben", email: null };
  const nothing = { before: null, after: null, resource_name: "raw.orders" };
  expect(whomItConcerns({ actor: ada, about: ben, ...nothing })).toBe("Ben");
  expect(whomItConcerns({ actor: ada, about: ada, ...nothing })).toBeUndefined();
  expect(whomItConcerns({ actor: ada, about: ben, ...nothing, resource_name: "Ben" })).toBeUndefined();
  expect(whomItConcerns({ actor: ada, about: null, ...nothing, before: { group: "Finance" } })).toBe("Finance");
});
