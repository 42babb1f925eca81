import { expect, test } from "vitest";
import { asChanges, firstEnd, lastsLonger } from "./deciding";
import type { AccessRequest } from "./words";

const NOW = new Date("2026-01-01T00:00:00Z");
const STANDING = {
  level: "none",
  role: null,
  granted: null,
  granted_until: null,
  tenant_role: null,
  groups: [],
} as NonNullable<AccessRequest["standing"]>;
const REQUEST = {
  resource: { type: "table", id: "t1", name: "raw.orders" },
  requester: { id: "m1", name: "Nora", email: "nora@example.com" },
  expires_at: null,
  standing: STANDING,
} as const satisfies Partial<AccessRequest>;

test("the end is as it was asked for, and a month where none was", () => {
  expect(firstEnd({ ...REQUEST, expires_at: "2026-06-01T00:00:00Z" }, NOW)).toBe("as asked for");
  expect(firstEnd(REQUEST, NOW)).toBe("for days");
  expect(firstEnd({ ...REQUEST, expires_at: "2025-12-31T00:00:00Z" }, NOW)).toBe("for days");
});

test("what somebody has for longer is not cut short unless that is chosen", () => {
  const forGood = { ...REQUEST, standing: { ...STANDING, granted: "Viewer" as const } };
  expect(firstEnd(forGood, NOW)).toBe("for good");
  expect(lastsLonger(forGood, "2026-02-01T00:00:00Z")).toBe(true);
  expect(lastsLonger(forGood, null)).toBe(false);
  const tillMarch = { ...STANDING, granted: "Viewer" as const, granted_until: "2026-03-01T00:00:00Z" };
  expect(lastsLonger({ standing: tillMarch }, "2026-02-01T00:00:00Z")).toBe(true);
  expect(lastsLonger({ standing: tillMarch }, "2026-04-01T00:00:00Z")).toBe(false);
  expect(lastsLonger(REQUEST, "2026-02-01T00:00:00Z")).toBe(false);
});

test("a level is given to who has none of their own, and changed for who has", () => {
  expect(asChanges(REQUEST, "Viewer")).toEqual([{ change: "give_level", table: "t1", member: "m1", level: "Viewer" }]);
  const viewer = { ...REQUEST, standing: { ...STANDING, granted: "Viewer" as const } };
  expect(asChanges(viewer, "Editor")).toEqual([{ change: "change_level", table: "t1", member: "m1", level: "Editor" }]);
  expect(asChanges(viewer, "Viewer")).toEqual([]);
  expect(asChanges({ ...REQUEST, standing: null }, "Viewer")).toEqual([]);
});

test("of a role in a project one asks about those whom one sees", () => {
  const project = { ...REQUEST, resource: { type: "project", id: "p1", name: "Sales" } as const };
  expect(asChanges(project, "Admin")).toEqual([]);
  const seen = { ...project, standing: { ...STANDING, level: null, tenant_role: "none" } };
  expect(asChanges(seen, "Admin")).toEqual([
    { change: "grant_project_role", project: "p1", member: "m1", role: "Admin" },
  ]);
});
