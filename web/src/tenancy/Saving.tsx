/** What stands under every change of a role or a group: who gains and loses what by it, and saving it or not. */
import { Button, Group, Stack, Text } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { type Change, GainAndLoss } from "../components/GainAndLoss";
import { Told } from "../components/Told";

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
  children: ReactNode;
  done: string;
  /** Whether there is anything to save. */
  changed?: boolean;
  /** What is done cannot be seen as an addition: it takes something. */
  takes?: boolean;
  pending: boolean;
  error: Error | null;
  save: () => void;
  leave: () => void;
}

/** A form that is sent by its button and by Enter, or left as it was. */
export function Saving({ children, done, changed = true, takes = false, pending, error, save, leave }: Saving) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (changed && !pending) save();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <Told error={error} />
        {changed && (
          <Group gap="xs">
            <Button type="submit" loading={pending} color={takes ? "#c92a2a" : undefined} data-autofocus={takes}>
              {done}
            </Button>
            <Button variant="default" onClick={leave}>
              Keep it
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
