import { expect, test } from "vitest";
import { byMyClock, byTheClock } from "./clocks";

const EVENING = "2026-11-16T09:05:00Z";

test("a moment is said by the clock of a place", () => {
  expect(byTheClock(EVENING, "Asia/Tokyo")).toBe("Mon, 16 Nov 2026, 18:05");
});

test("another clock shows its time, and its day where that is another one", () => {
  expect(byMyClock(EVENING, "UTC", "Asia/Tokyo")).toBe("09:05");
  expect(byMyClock("2026-11-15T20:00:00Z", "UTC", "Asia/Tokyo")).toBe("Sun, 15 Nov 2026, 20:00");
});
