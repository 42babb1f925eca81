import { expect, test } from "vitest";
import type { Schemas } from "../api/client";
import { givenToGroup, inASentence, toldOnce } from "./sentences";

const ENTRY = {
  actor: { id: "1", name: "Ada Novak" },
  resource_name: "trusted",
  said: "did something new",
} as Schemas["EntryOut"];

test.each([
  ["give_level", { level: "Manager" }, "Ada Novak gave you Manager on trusted"],
  ["take_level", null, "Ada Novak took your level on trusted"],
  [
    "give_level",
    { level: "Viewer", expires_at: "2027-01-01T00:00:00Z" },
    "Ada Novak gave you Viewer on trusted, for a time",
  ],
  ["grant_access_request", { level: "Editor" }, "Ada Novak gave you Editor on trusted, as you had asked"],
  ["grant_access_request", { role: "Admin" }, "Ada Novak gave you Admin in trusted, as you had asked"],
  ["decline_access_request", { answer: "Ask Ben." }, "Ada Novak declined your request for trusted: Ask Ben."],
  ["something_new", {}, "Ada Novak did something new: trusted"],
])("%s", (action, after, said) => {
  expect(inASentence({ ...ENTRY, action, after })).toBe(said);
});

test("who was given something else than they asked for is told so", () => {
  const granted = { ...ENTRY, action: "grant_access_request", before: { level: "Editor" } };
  expect(inASentence({ ...granted, after: { level: "Viewer" } })).toBe(
    "Ada Novak gave you Viewer on trusted, where you had asked for Editor",
  );
  expect(inASentence({ ...granted, after: { level: "Editor" } })).toBe(
    "Ada Novak gave you Editor on trusted, as you had asked",
  );
});

test("a level that answers a request is told as the answer", () => {
  const answer = { ...ENTRY, action: "grant_access_request", request_id: "r1" };
  const given = { ...ENTRY, action: "give_level", request_id: "r1" };
  const other = { ...ENTRY, action: "give_level", request_id: "r2" };
  expect(toldOnce([answer, given, other])).toEqual([answer, other]);
});

test.each([
  ["end_level", { level: "Viewer" }, "The time of your level Viewer on trusted is over"],
  ["end_project_role", { role: "Admin" }, "The time of your role Admin in trusted is over"],
])("%s by itself", (action, before, said) => {
  expect(inASentence({ ...ENTRY, actor: null, action, before, after: null })).toBe(said);
});

test("the first owner was added by nobody", () => {
  expect(inASentence({ ...ENTRY, actor: null, action: "add_member", after: {} })).toBe("You were the first to be here");
});

test.each([
  ["Analysts", "table", "raw.orders", null, "Ada Novak gave your group Analysts Viewer on raw.orders"],
  ["All", "project", "Sales", "2027-01-01T00:00:00Z", "Ada Novak gave everybody Viewer in Sales, for a time"],
])("%s was given something on a %s", (group, resource_type, resource_name, expires_at, said) => {
  const by = { id: "1", name: "Ada Novak" };
  const given = { group: { id: "2", name: group }, given: "Viewer", resource_type, resource_name, expires_at, by };
  expect(givenToGroup(given as Schemas["GivenOut"])).toBe(said);
});
