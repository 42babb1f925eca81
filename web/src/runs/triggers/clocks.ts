/** Moments by the clocks of places. */
const DAY = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
const TIME = { hour: "2-digit", minute: "2-digit" } as const;

function said(moment: string, timeZone: string, how: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat("en-GB", { ...how, timeZone }).format(new Date(moment));
}

/** “Mon, 16 Nov 2026, 06:00”. */
export function byTheClock(moment: string, zone: string): string {
  return said(moment, zone, { ...DAY, ...TIME });
}

/** The same moment by another clock: its time, and its day where that is another one too. */
export function byMyClock(moment: string, mine: string, theirs: string): string {
  const sameDay = said(moment, mine, DAY) === said(moment, theirs, DAY);
  return sameDay ? said(moment, mine, TIME) : byTheClock(moment, mine);
}
