/** Where something stands, in a word and a colour: the same colours for runs, requests and whatever has states. */
import { Badge } from "@mantine/core";

// Dark enough for white letters.
const COLOURS = { good: "petrol", bad: "#c92a2a", busy: "#1864ab", held: "#a8460a", quiet: "gray" } as const;

export type Tone = keyof typeof COLOURS;

export function StateBadge({ state, tone }: { state: string; tone: Tone }) {
  return (
    <Badge color={COLOURS[tone]} variant={tone === "quiet" ? "outline" : "filled"}>
      {state}
    </Badge>
  );
}
