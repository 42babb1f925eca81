import { expect, test } from "vitest";
import { dayAfter, endOfDay, startOfDay } from "./days";

test("a day begins when it begins where the reader is", () => {
  expect(startOfDay("2026-01-31", "UTC")).toBe("2026-01-31T00:00:00.000Z");
  expect(startOfDay("2026-07-01", "Europe/Berlin")).toBe("2026-06-30T22:00:00.000Z");
  expect(startOfDay("2026-01-31", "America/New_York")).toBe("2026-01-31T05:00:00.000Z");
});

test("also on the days on which the clocks change", () => {
  expect(startOfDay("2026-03-29", "Europe/Berlin")).toBe("2026-03-28T23:00:00.000Z");
  expect(endOfDay("2026-03-29", "Europe/Berlin")).toBe("2026-03-29T22:00:00.000Z");
});

test("the last day of a year is followed by the first of the next", () => {
  expect(dayAfter("2026-12-31")).toBe("2027-01-01");
});
