/** A refusal in words: what is not for the reader, what it takes and who gives that, and the row that decided. */
import { Stack, Text } from "@mantine/core";
import type { Decision } from "../api/client";
import { MissingWays } from "./MissingWays";

export function NotForYou({ decision }: { decision: Decision }) {
  return (
    <Stack gap="xs">
      <Text fw={600}>“{decision.action_name}” is not for you here</Text>
      <MissingWays ways={decision.missing} />
      <DecidedBy decision={decision} />
    </Stack>
  );
}

export function DecidedBy({ decision }: { decision: Decision }) {
  return (
    <Text size="xs" c="dimmed">
      Decided by document “{decision.document}”, table “{decision.table}”, row “{decision.row}”
      {decision.column && `, column “${decision.column}”`}.
    </Text>
  );
}
