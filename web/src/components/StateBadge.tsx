/** Where something stands, in a word and a colour: the same colours for runs, requests and whatever has states. */
import { Badge } from "@mantine/core";

// Told apart by more than the word, and calm beside many others.
const COLOURS = { good: "petrol", bad: "red", busy: "blue", held: "orange", quiet: "gray" } as const;

export type Tone = keyof typeof COLOURS;

/** Dark on light and light on dark: the dot is seen on both. */
function dot(colour: string): string {
  return `light-dark(var(--mantine-color-${colour}-7), var(--mantine-color-${colour}-4))`;
}

export function StateBadge({ state, tone }: { state: string; tone: Tone }) {
  return (
    <Badge
      miw="max-content"
      color={COLOURS[tone]}
      variant="dot"
      tt="none"
      fw={500}
      style={{ flexShrink: 0, "--badge-dot-color": dot(COLOURS[tone]) }}
    >
      {state}
    </Badge>
  );
}
