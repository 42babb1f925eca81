import { expect, test } from "vitest";
import { howLongAgo, onTheClock } from "./Moment";

const NOW = new Date("2026-03-01T12:00:00Z");

test.each([
  ["2026-03-01T11:59:40Z", "now"],
  ["2026-03-01T12:00:03Z", "now"],
  ["2026-03-01T12:00:40Z", "in a moment"],
  ["2026-03-01T11:57:00Z", "3 minutes ago"],
  ["2026-03-01T10:00:00Z", "2 hours ago"],
  ["2026-02-28T12:00:00Z", "yesterday"],
  ["2026-03-03T12:00:00Z", "in 2 days"],
  ["2025-03-01T12:00:00Z", "last year"],
])("%s is %s", (at, said) => {
  expect(howLongAgo(new Date(at), NOW)).toBe(said);
});

test("the same moment is another hour elsewhere", () => {
  expect(onTheClock(NOW, "UTC")).toBe("1 Mar 2026, 12:00");
  expect(onTheClock(NOW, "Asia/Tokyo")).toBe("1 Mar 2026, 21:00");
});
