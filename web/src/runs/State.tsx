/** A run's state, the same everywhere. */
import type { Schemas } from "../api/client";
import { StateBadge, type Tone } from "../components/StateBadge";

export type State = Schemas["RunState"];

const TONES: Record<State, Tone> = {
  queued: "quiet",
  running: "busy",
  succeeded: "good",
  failed: "bad",
  cancelled: "quiet",
  restricted: "held",
};

export const STATES = Object.keys(TONES) as State[];

interface Props {
  state: State;
  /** Why it did not succeed; what was refused was not begun, and is no failure. */
  problem?: { refused: boolean } | null;
}

export function RunStateBadge({ state, problem }: Props) {
  if (problem?.refused) return <StateBadge state="refused" tone={TONES.restricted} />;
  return <StateBadge state={state} tone={TONES[state]} />;
}
