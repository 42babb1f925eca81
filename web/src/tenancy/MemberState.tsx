/** Where a member stands: invited, waiting, here, shut out, gone. */
import { StateBadge, type Tone } from "../components/StateBadge";
import type { State } from "./words";

const TONES: Record<State, Tone> = {
  active: "good",
  invited: "busy",
  waiting: "held",
  suspended: "bad",
  removed: "quiet",
};

export function MemberState({ state }: { state: State }) {
  return <StateBadge state={state} tone={TONES[state]} />;
}
