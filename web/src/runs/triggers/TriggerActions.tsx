/** What can be done with a trigger: change it, pause it, let it go on, remove it. */
import { Button, Group, Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { confirmFirst } from "../../components/confirm";
import { TriggerForm } from "./TriggerForm";

type Trigger = Schemas["TriggerOut"];

export function TriggerActions({ trigger }: { trigger: Trigger }) {
  const [editing, setEditing] = useState(false);
  const cache = useQueryClient();
  const params = { path: { trigger_id: trigger.id }, header: { "If-Match": `"${trigger.version}"` } };
  const after = {
    onSuccess: () => cache.invalidateQueries({ queryKey: ["triggers"] }),
    onError: (error: Error) => notifications.show({ message: error.message, color: "red" }),
  };
  const pause = useMutation({
    mutationFn: () =>
      trigger.paused
        ? take(api.POST("/api/v1/triggers/{trigger_id}/resume", { params }))
        : take(api.POST("/api/v1/triggers/{trigger_id}/pause", { params })),
    ...after,
  });
  const remove = useMutation({
    mutationFn: () => take(api.DELETE("/api/v1/triggers/{trigger_id}", { params })),
    ...after,
  });
  if (!trigger.actions.includes("edit")) return null;
  const confirmRemove = () =>
    confirmFirst(
      `Delete this trigger of ${trigger.subject.name}?`,
      `${trigger.words}: it will no longer run by this. It can still be run by hand.`,
      "Delete the trigger",
      () => remove.mutate(),
    );
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
        Edit
      </Button>
      <Button variant="subtle" size="compact-sm" loading={pause.isPending} onClick={() => pause.mutate()}>
        {trigger.paused ? "Resume" : "Pause"}
      </Button>
      <Button variant="subtle" size="compact-sm" loading={remove.isPending} onClick={confirmRemove}>
        Delete
      </Button>
      <Modal opened={editing} onClose={() => setEditing(false)} title={`When ${trigger.subject.name} runs`}>
        <TriggerForm subject={trigger.subject} trigger={trigger} onDone={() => setEditing(false)} />
      </Modal>
    </Group>
  );
}
