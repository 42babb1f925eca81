/** What stands under every change of a role or a group: who gains and loses what by it, and saving it or not. */
import { Button, Group, Text } from "@mantine/core";
import { type Change, GainAndLoss } from "../components/GainAndLoss";

/** Who gains and loses what; for who is not active nothing changes yet. */
export function Outlook({ changes, later }: { changes: readonly Change[]; later: boolean }) {
  if (changes.length === 0) return null;
  if (later) {
    return (
      <Text size="sm" c="dimmed">
        They are not active now: it counts from the moment they are.
      </Text>
    );
  }
  return <GainAndLoss changes={changes} />;
}

interface Saving {
  done: string;
  pending: boolean;
  save: () => void;
  leave: () => void;
}

export function SaveOrNot({ done, pending, save, leave }: Saving) {
  return (
    <Group gap="xs">
      <Button loading={pending} onClick={save}>
        {done}
      </Button>
      <Button variant="default" onClick={leave}>
        Leave it
      </Button>
    </Group>
  );
}
