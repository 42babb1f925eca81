/** Whether it was done, or refused, which stands out. */
import { StateBadge } from "../components/StateBadge";
import type { Entry } from "./entries";

export function Outcome({ entry }: { entry: Pick<Entry, "outcome"> }) {
  return entry.outcome === "done" ? "done" : <StateBadge state={entry.outcome} tone="held" />;
}
