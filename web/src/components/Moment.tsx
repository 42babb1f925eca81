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
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** “3 hours ago”, “in 2 days”, “now”. */
export function howLongAgo(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.round(seconds / size), unit);
  }
  return RELATIVE.format(0, "second");
}

export function Moment({ at }: { at: string | null | undefined }) {
  const { time_zone } = useMe();
  if (!at) return <Text span>–</Text>;
  const date = new Date(at);
  const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: time_zone });
  return (
    <Tooltip label={`${exact.format(date)} (${time_zone})`}>
      <time dateTime={at}>{howLongAgo(date, new Date())}</time>
    </Tooltip>
  );
}
