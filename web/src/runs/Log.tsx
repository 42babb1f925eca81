/** What a run said as it went, in the reader's time. */
import { Paper, ScrollArea, Text } from "@mantine/core";
import type { Schemas } from "../api/client";
import { useMe } from "../tenancy/session";

export function Log({ lines }: { lines: readonly Schemas["LogLineOut"][] }) {
  const { time_zone } = useMe();
  const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: time_zone });
  return (
    <Paper withBorder p="md" ff="monospace" fz="sm">
      <ScrollArea.Autosize mah={420} type="auto" viewportProps={{ tabIndex: 0, role: "log", "aria-label": "Log" }}>
        {lines.length === 0 && <Text c="dimmed">Nothing was said.</Text>}
        {lines.length > 0 && (
          <Text c="dimmed" fz="xs" mb={4}>
            Times are in {time_zone.replaceAll("_", " ")}
          </Text>
        )}
        {lines.map((line) => (
          <div key={line.id}>
            <Text span c="dimmed" fz="sm">
              {clock.format(new Date(line.at))}
            </Text>{" "}
            <Text span fz="sm" fw={line.level === "info" ? 400 : 700}>
              {line.text}
            </Text>
          </div>
        ))}
      </ScrollArea.Autosize>
    </Paper>
  );
}
