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

export function RunStateBadge({ state }: { state: State }) {
  return <StateBadge state={state} tone={TONES[state]} />;
}
