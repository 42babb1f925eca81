/** Leaving the page would end what is being sent. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";

export function BeforeLeaving({ busy }: { busy: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => busy && current.pathname !== next.pathname,
    enableBeforeUnload: busy,
    withResolver: true,
  });
  return (
    <Modal opened={status === "blocked"} onClose={() => reset?.()} title="Leave while files are being sent?">
      <Stack>
        <Text size="sm">What has not arrived yet would not arrive.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => reset?.()}>
            Stay here
          </Button>
          <Button color="#c92a2a" onClick={() => proceed?.()}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
