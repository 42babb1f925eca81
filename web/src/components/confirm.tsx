/** Asking before something is lost, and naming what. */
import { Text } from "@mantine/core";
import { modals } from "@mantine/modals";

export function confirmFirst(question: string, what: string, done: string, act: () => void): void {
  modals.openConfirmModal({
    title: question,
    children: <Text size="sm">{what}</Text>,
    labels: { confirm: done, cancel: "Keep it" },
    confirmProps: { color: "#c92a2a" },
    // Enter, pressed once too often, loses nothing.
    cancelProps: { "data-autofocus": true },
    onConfirm: act,
  });
}
