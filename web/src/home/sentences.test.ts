import { expect, test } from "vitest";
import type { Schemas } from "../api/client";
import { inASentence } from "./sentences";

const ENTRY = { actor: { id: "1", name: "Ada Novak" }, resource_name: "trusted" } as Schemas["EntryOut"];

test.each([
  ["give_level", { level: "Manager" }, "Ada Novak gave you Manager on trusted"],
  ["take_level", null, "Ada Novak took your level on trusted"],
  ["something_new", {}, "Ada Novak: something new, trusted"],
])("%s", (action, after, said) => {
  expect(inASentence({ ...ENTRY, action, after })).toBe(said);
});

test("the first owner was added by nobody", () => {
  expect(inASentence({ ...ENTRY, actor: null, action: "add_member", after: {} })).toBe("You were the first to be here");
});
