/** Where a request for access stands. */
import { StateBadge, type Tone } from "../components/StateBadge";
import type { AccessRequest } from "./words";

const TONES: Record<AccessRequest["state"], Tone> = {
  waiting: "busy",
  granted: "good",
  declined: "bad",
  withdrawn: "quiet",
  lapsed: "quiet",
};

export function RequestState({ state }: { state: AccessRequest["state"] }) {
  return <StateBadge state={state} tone={TONES[state]} />;
}
