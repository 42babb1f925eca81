import { expect, test } from "vitest";
import { type AccessRequest, daysFromNow, hasEnded, inWords, isStillOpen, likelyKind } from "./words";

const GIVEN = { level: "Viewer", role: null, reason: null, by: "Tess", at: "2026-01-01T10:00:00Z" } as const;

test("a request is said in words, and what was given instead", () => {
  const table = { type: "table", id: null, name: "raw.orders" } as const;
  const asked = { level: "Editor", role: null, resource: table } as const;
  expect(inWords({ ...asked, outcome: null })).toBe("Editor on table raw.orders");
  expect(inWords({ ...asked, outcome: { ...GIVEN, level: "Editor", expires_at: null } })).toBe(
    "Editor on table raw.orders",
  );
  expect(inWords({ ...asked, outcome: { ...GIVEN, expires_at: null } })).toBe(
    "Viewer on table raw.orders (asked for Editor)",
  );
  const project = { type: "project", id: null, name: "Sales" } as const;
  expect(inWords({ level: null, role: "Admin", resource: project, outcome: null })).toBe("Admin in project Sales");
});

const granted = (expires_at: string | null) =>
  ({ state: "granted", outcome: { ...GIVEN, expires_at } }) satisfies Partial<AccessRequest>;

test("what was given for a time is over when it is up", () => {
  const now = new Date("2026-02-01T10:00:00Z");
  expect(hasEnded(granted("2026-01-31T10:00:00Z"), now)).toBe(true);
  expect(hasEnded(granted("2026-02-02T10:00:00Z"), now)).toBe(false);
  expect(hasEnded(granted(null), now)).toBe(false);
  expect(hasEnded({ state: "waiting", outcome: null }, now)).toBe(false);
});

test("who was refused asks again, unless an answer is on its way, or came since", () => {
  const before = "2026-01-01T09:00:00Z";
  const after = "2026-01-01T11:00:00Z";
  expect(isStillOpen(granted(null), before)).toBe(true);
  expect(isStillOpen(granted(null), after)).toBe(false);
  expect(isStillOpen(granted("2026-01-01T10:00:01Z"), before)).toBe(false);
  expect(isStillOpen({ state: "waiting", outcome: null }, after)).toBe(true);
  expect(isStillOpen({ state: "declined", outcome: { ...GIVEN, expires_at: null } }, after)).toBe(true);
  expect(isStillOpen({ state: "withdrawn", outcome: null }, after)).toBe(false);
  expect(isStillOpen({ state: "lapsed", outcome: null }, after)).toBe(false);
});

test("an end is counted in days, and there may be none", () => {
  expect(daysFromNow(30, new Date("2026-01-01T10:00:00Z"))).toBe("2026-01-31T10:00:00.000Z");
  expect(daysFromNow("")).toBeNull();
});

test.each([
  ["raw.orders", "table"],
  ["RAW.Orders", "table"],
  ["salaries", "table"],
  ["Sales", "project"],
  ["sales team", "project"],
])("%s is most likely a %s", (name, kind) => {
  expect(likelyKind(name)).toBe(kind);
});
