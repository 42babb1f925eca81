/** Schedules as people choose them, to cron and back. */
export const RHYTHMS = ["hour", "day", "weekday", "week", "month", "own"] as const;
export type Rhythm = (typeof RHYTHMS)[number];

export const WEEKDAYS = [
  { value: "MON", label: "Monday" },
  { value: "TUE", label: "Tuesday" },
  { value: "WED", label: "Wednesday" },
  { value: "THU", label: "Thursday" },
  { value: "FRI", label: "Friday" },
  { value: "SAT", label: "Saturday" },
  { value: "SUN", label: "Sunday" },
];

/** A schedule as it is chosen; what does not belong to its rhythm is kept, for whoever chooses another one. */
export interface Plan {
  rhythm: Rhythm;
  minute: number;
  /** “06:30” */
  time: string;
  weekday: string;
  /** Of the month: “1” to “28”, or “L” for the last one. */
  day: string;
  cron: string;
}

export const USUAL: Plan = { rhythm: "day", minute: 0, time: "06:00", weekday: "MON", day: "1", cron: "0 6 * * *" };

export function toCron(plan: Plan): string {
  const [hour = 0, minute = 0] = plan.time.split(":").map(Number);
  switch (plan.rhythm) {
    case "hour":
      return `${plan.minute} * * * *`;
    case "day":
      return `${minute} ${hour} * * *`;
    case "weekday":
      return `${minute} ${hour} * * MON-FRI`;
    case "week":
      return `${minute} ${hour} * * ${plan.weekday}`;
    case "month":
      return `${minute} ${hour} ${plan.day} * *`;
    case "own":
      return plan.cron.trim();
  }
}

/** What can be chosen that says the same; a schedule that cannot be chosen stays as it is written. */
export function fromCron(cron: string): Plan {
  const own: Plan = { ...USUAL, rhythm: "own", cron };
  const [minute = "", hour = "", day = "", month = "", weekday = "", ...rest] = cron.trim().toUpperCase().split(/\s+/);
  if (rest.length > 0 || month !== "*" || !isNumber(minute, 59)) return own;
  const everyDay = day === "*" && weekday === "*";
  if (hour === "*" && everyDay) return { ...own, rhythm: "hour", minute: Number(minute) };
  if (!isNumber(hour, 23)) return own;
  const at = { ...own, time: `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}` };
  if (everyDay) return { ...at, rhythm: "day" };
  if (day === "*" && (weekday === "MON-FRI" || weekday === "1-5")) return { ...at, rhythm: "weekday" };
  if (day === "*" && WEEKDAYS.some((one) => one.value === weekday)) return { ...at, rhythm: "week", weekday };
  if (weekday === "*" && (day === "L" || (isNumber(day, 28) && day !== "0"))) return { ...at, rhythm: "month", day };
  return own;
}

function isNumber(part: string, most: number): boolean {
  return /^\d{1,2}$/.test(part) && Number(part) <= most;
}
