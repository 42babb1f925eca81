/** Where a request for access stands. */
import { StateBadge, type Tone } from "../components/StateBadge";
import { type AccessRequest, hasEnded } from "./words";

const TONES: Record<AccessRequest["state"], Tone> = {
  waiting: "busy",
  granted: "good",
  declined: "bad",
  withdrawn: "quiet",
  lapsed: "quiet",
};

export function RequestState({ request }: { request: Pick<AccessRequest, "state" | "outcome"> }) {
  if (hasEnded(request)) return <StateBadge state="ended" tone="quiet" />;
  return <StateBadge state={request.state} tone={TONES[request.state]} />;
}
