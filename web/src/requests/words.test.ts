import { expect, test } from "vitest";
import { daysFromNow, inWords, likelyKind } from "./words";

test("a request is said in words", () => {
  const table = { type: "table", id: null, name: "raw.orders" } as const;
  expect(inWords({ level: "Viewer", role: null, resource: table })).toBe("Viewer on table raw.orders");
  const project = { type: "project", id: null, name: "Sales" } as const;
  expect(inWords({ level: null, role: "Admin", resource: project })).toBe("Admin in project Sales");
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
