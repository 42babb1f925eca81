import { expect, test } from "vitest";
import { fromCron, type Plan, toCron, USUAL } from "./cron";

const chosen: [Partial<Plan>, string][] = [
  [{ rhythm: "hour", minute: 15 }, "15 * * * *"],
  [{ rhythm: "day", time: "06:30" }, "30 6 * * *"],
  [{ rhythm: "weekday", time: "18:05" }, "5 18 * * MON-FRI"],
  [{ rhythm: "week", time: "06:00", weekday: "THU" }, "0 6 * * THU"],
  [{ rhythm: "month", time: "00:00", day: "28" }, "0 0 28 * *"],
  [{ rhythm: "month", time: "23:59", day: "L" }, "59 23 L * *"],
];

test.each(chosen)("%o is %s, and back", (part, cron) => {
  expect(toCron({ ...USUAL, ...part })).toBe(cron);
  expect(fromCron(cron)).toMatchObject(part);
});

test.each([
  "*/15 * * * *",
  "0 6 * 3 *",
  "0 6 1 * MON",
  "0 25 * * *",
  "0 6 0 * *",
  "0 6 31 * *",
  "nonsense",
  "0 6 * * * *",
])("%s stays as it is written", (cron) => {
  expect(fromCron(cron).rhythm).toBe("own");
  expect(toCron(fromCron(cron))).toBe(cron);
});

test("weekdays are known by their numbers too", () => {
  expect(fromCron("0 6 * * 1-5").rhythm).toBe("weekday");
});
