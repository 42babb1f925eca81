import { expect, test } from "vitest";
import type { Schemas } from "../api/client";
import { inASentence } from "./sentences";

const ENTRY = { actor: { id: "1", name: "Ada Novak" }, resource_name: "trusted" } as Schemas["EntryOut"];

test.each([
  ["give_level", { level: "Manager" }, "Ada Novak gave you Manager on trusted"],
  ["take_level", null, "Ada Novak took your level on trusted"],
  ["grant_security_roles", {}, "Ada Novak: grant security roles, trusted"],
])("%s", (action, after, said) => {
  expect(inASentence({ ...ENTRY, action, after })).toBe(said);
});

test("what nobody did was done by the platform", () => {
  expect(inASentence({ ...ENTRY, actor: null, action: "add_member", after: {} })).toBe(
    "The platform itself added you to the platform",
  );
});
