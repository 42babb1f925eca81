/** What tells on every page that one sees it with somebody else's eyes, and ends it. */
import { Button, Group, Text } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconEye } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { endViewing, justEnded, stopViewing, timeLeft, viewing } from "./viewing";

export const BANNER_HEIGHT = 44;
const LONGEST_TIMER = 2 ** 31 - 1;
const EVERY = 10_000;

/** How long it still lasts. */
function Left({ endsAt }: { endsAt: string }) {
  const [now, setNow] = useState(() => new Date());
  useInterval(() => setNow(new Date()), EVERY, { autoInvoke: true });
  return (
    <Text size="sm" style={{ whiteSpace: "nowrap" }}>
      {timeLeft(endsAt, now)}
    </Text>
  );
}

export function ViewingBanner() {
  const viewed = viewing();
  const stop = useMutation({ mutationFn: stopViewing });
  useEffect(() => {
    const before = justEnded();
    if (before !== null)
      notifications.show({ message: `You no longer see what ${before} sees: you are yourself again.` });
  }, []);
  useEffect(() => {
    if (!viewed) return;
    const left = Math.max(0, new Date(viewed.endsAt).getTime() - Date.now());
    const timer = setTimeout(endViewing, Math.min(left, LONGEST_TIMER));
    return () => clearTimeout(timer);
  }, [viewed]);
  if (!viewed) return null;
  return (
    <Group
      component="section"
      aria-label="Viewing as another member"
      h={BANNER_HEIGHT}
      mx="calc(var(--mantine-spacing-md) * -1)"
      px="md"
      gap="sm"
      wrap="nowrap"
      bg="#7a3b00"
      c="white"
    >
      <IconEye size={18} aria-hidden style={{ flexShrink: 0 }} />
      <Text size="sm" truncate>
        You see what <b>{viewed.name}</b> sees. Nothing can be changed.
      </Text>
      <Left endsAt={viewed.endsAt} />
      {stop.error && (
        <Text size="sm" role="alert" truncate>
          {stop.error.message}
        </Text>
      )}
      <Button size="compact-sm" variant="white" color="dark" loading={stop.isPending} onClick={() => stop.mutate()}>
        Stop
      </Button>
    </Group>
  );
}
