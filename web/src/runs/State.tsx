/** A run's state, the same everywhere. */
import { Badge } from "@mantine/core";
import type { Schemas } from "../api/client";

type State = Schemas["RunState"];

// Dark enough for white letters.
const COLOURS: Record<State, string> = {
  queued: "gray",
  running: "#1864ab",
  succeeded: "petrol",
  failed: "#c92a2a",
  cancelled: "gray",
  restricted: "#a8460a",
};

export const STATES = Object.keys(COLOURS) as State[];

export function RunStateBadge({ state }: { state: State }) {
  return (
    <Badge color={COLOURS[state]} variant={state === "queued" || state === "cancelled" ? "outline" : "filled"}>
      {state}
    </Badge>
  );
}
