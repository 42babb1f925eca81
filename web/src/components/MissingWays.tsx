/** What would have to be different for an action to be allowed: each way by itself, and who can make it so. */
import { Stack, Text } from "@mantine/core";
import type { Schemas } from "../api/client";

type Way = Schemas["DecisionOut"]["missing"][number];

export function MissingWays({ ways }: { ways: readonly Way[] }) {
  if (ways.length === 0) return null;
  return (
    <Stack gap={4}>
      {ways.map((way, at) => (
        <Text key={inWords(way)} size="sm">
          {at === 0 ? "It takes" : "Or"} {inWords(way)}.
        </Text>
      ))}
    </Stack>
  );
}

/** “level Editor (it is Viewer), given by members with Manager on it”. */
export function inWords(way: Way): string {
  const needs = way.map((change) => `${change.fact} ${change.needs} (it is ${change.has})`).join(" and ");
  const givers = [...new Set(way.map((change) => change.given_by))].filter((who) => who !== "");
  return givers.length > 0 ? `${needs}, given by ${givers.join("; ")}` : needs;
}
