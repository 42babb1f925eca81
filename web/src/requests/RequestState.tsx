/** Where a request for access stands. */
import { Badge } from "@mantine/core";
import type { AccessRequest } from "./words";

// Dark enough for white letters.
const COLOURS: Record<AccessRequest["state"], string> = {
  waiting: "#1864ab",
  granted: "petrol",
  declined: "#c92a2a",
  withdrawn: "gray",
  lapsed: "gray",
};

export function RequestState({ state }: { state: AccessRequest["state"] }) {
  return (
    <Badge color={COLOURS[state]} variant={COLOURS[state] === "gray" ? "outline" : "filled"}>
      {state}
    </Badge>
  );
}
