/** A schedule in words, and when it fires next. */
import { List, Paper, Skeleton, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, take } from "../../api/client";
import { Told } from "../../components/Told";
import { useMe } from "../../tenancy/session";
import { byMyClock, byTheClock } from "./clocks";

export function Firings({ cron, zone }: { cron: string; zone: string }) {
  const [settled] = useDebouncedValue(cron, 150);
  const preview = useQuery({
    queryKey: ["triggers", "preview", settled, zone],
    queryFn: () => take(api.GET("/api/v1/triggers/preview", { params: { query: { cron: settled, time_zone: zone } } })),
    enabled: settled !== "",
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (settled === "") return null;
  if (preview.error) return <Told error={preview.error} />;
  if (!preview.data) return <Skeleton height={120} />;
  return (
    <Paper withBorder p="sm" component="section" aria-label="When it fires" aria-live="polite">
      <Text fw={600}>{preview.data.words}</Text>
      <NextFirings at={preview.data.next_firings} zone={zone} />
    </Paper>
  );
}

/** Each by the trigger's clock, and by the reader's own where that is another one. */
export function NextFirings({ at, zone }: { at: readonly string[]; zone: string }) {
  const { time_zone: mine } = useMe();
  return (
    <List size="sm" mt={4} listStyleType="none">
      {at.map((moment) => (
        <List.Item key={moment}>
          <time dateTime={moment}>{byTheClock(moment, zone)}</time>
          {mine !== zone && (
            <Text span size="sm" c="dimmed">
              {" "}
              · {byMyClock(moment, mine, zone)} for you
            </Text>
          )}
        </List.Item>
      ))}
    </List>
  );
}
