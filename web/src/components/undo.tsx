/** Saying that something was done, with a way back for as long as the message stands there. */
import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { queryClient } from "../api/queries";

const LONG_ENOUGH = 12_000;

export function doneWithUndo(message: string, undo: () => Promise<unknown>): void {
  const id = notifications.show({
    autoClose: LONG_ENOUGH,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="light" onClick={() => takeBack(id, undo)}>
          Undo
        </Button>
      </Group>
    ),
  });
}

async function takeBack(id: string, undo: () => Promise<unknown>): Promise<void> {
  notifications.hide(id);
  try {
    await undo();
    notifications.show({ message: "It is as it was before." });
  } catch (problem) {
    const message = problem instanceof Error ? problem.message : "That could not be undone.";
    notifications.show({ color: "red", message });
  }
  await queryClient.invalidateQueries();
}
