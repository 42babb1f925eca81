/** Days as they begin and end in somebody's own time zone. */

/** The moment at which a day (“2026-01-31”) begins somewhere. */
export function startOfDay(day: string, zone: string): string {
  const utc = new Date(`${day}T00:00:00Z`).getTime();
  // How far the clocks there are ahead differs by season: looked at twice, it is right on the days they change too.
  const first = utc - aheadOfUtc(utc, zone);
  return new Date(utc - aheadOfUtc(first, zone)).toISOString();
}

export function dayAfter(day: string): string {
  return new Date(new Date(`${day}T00:00:00Z`).getTime() + 86_400_000).toISOString().slice(0, 10);
}

/** The moment at which a day is over somewhere. */
export function endOfDay(day: string, zone: string): string {
  return startOfDay(dayAfter(day), zone);
}

function aheadOfUtc(moment: number, zone: string): number {
  const shown = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(moment);
  const part = (type: string) => Number(shown.find((one) => one.type === type)?.value);
  const there = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return there - Math.floor(moment / 1000) * 1000;
}
