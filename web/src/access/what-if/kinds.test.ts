import { expect, test } from "vitest";
import { changeOf, EMPTY } from "./kinds";

test("a change is asked about once everything that it takes is there", () => {
  expect(changeOf("give_level", EMPTY)).toBeUndefined();
  const draft = { ...EMPTY, target: "t", member: "m", group: "g" };
  expect(changeOf("give_level", draft)).toBeUndefined();
  expect(changeOf("give_level", { ...draft, level: "Editor" })).toEqual({
    change: "give_level",
    table: "t",
    member: "m",
    level: "Editor",
  });
});

test("a level that is taken has no name, and may be a group's", () => {
  const draft = {
    ...EMPTY,
    targetType: "layer",
    target: "l",
    holderKind: "group",
    group: "g",
    level: "Viewer",
  } as const;
  expect(changeOf("take_level", draft)).toEqual({ change: "take_level", layer: "l", group: "g" });
});

test("no security role at all is something to ask about", () => {
  expect(changeOf("security_roles", { ...EMPTY, member: "m" })).toEqual({
    change: "security_roles",
    member: "m",
    roles: [],
  });
});

test("a switch is turned off as well as on", () => {
  const draft = { ...EMPTY, project: "p", switch: "ownership_adds_to_availability", on: false } as const;
  expect(changeOf("project_switch", draft)).toMatchObject({ on: false });
});
