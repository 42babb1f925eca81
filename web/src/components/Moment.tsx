/** A moment in the reader's own time zone; how long ago, and the exact time for whoever points at it. */
import { Text, Tooltip } from "@mantine/core";
import { useMe } from "../tenancy/session";

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const SOON = 5; // seconds; clocks differ by that much
const ON_TABLETS_TOO = { hover: true, focus: true, touch: true };
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** “3 hours ago”, “in 2 days”, “now”, “in a moment”. */
export function howLongAgo(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.round(seconds / size), unit);
  }
  return seconds > SOON ? "in a moment" : RELATIVE.format(0, "second");
}

/** “31 Jan 2026, 14:05” on the clocks of a zone. */
export function onTheClock(at: Date, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: zone }).format(at);
}

interface Props {
  at: string | null | undefined;
  /** The day and hour itself, of what one has to be ready for, and how far away it is for whoever points at it. */
  exact?: boolean;
}

export function Moment({ at, exact = false }: Props) {
  const { time_zone } = useMe();
  if (!at) return <Text span>–</Text>;
  const date = new Date(at);
  const ago = howLongAgo(date, new Date());
  const said = onTheClock(date, time_zone);
  return (
    <Tooltip label={exact ? `${ago} (${time_zone})` : `${said} (${time_zone})`} events={ON_TABLETS_TOO}>
      <time dateTime={at} style={{ whiteSpace: "nowrap" }}>
        {exact ? said : ago}
      </time>
    </Tooltip>
  );
}
