/** Making a group, and naming and describing one. */
import { Modal } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { api, take } from "../../api/client";
import { useChanging } from "../changing";
import { NameAndDescription, type Said } from "../NameAndDescription";
import type { GroupSeen } from "./changing";

interface Opened {
  opened: boolean;
  onClose: () => void;
}

export function NewGroup({ opened, onClose }: Opened) {
  const navigate = useNavigate();
  const make = useChanging(
    (body: Said) => take(api.POST("/api/v1/groups", { body })),
    (group) => `The group ${group.name} is made.`,
    {
      onDone: async (group) => {
        onClose();
        await navigate({ to: "/groups/$groupId", params: { groupId: group.id } });
      },
    },
  );
  return (
    <Modal opened={opened} onClose={onClose} title="New group">
      <NameAndDescription done="Make it" onDone={make.mutate} pending={make.isPending} error={make.error} />
    </Modal>
  );
}

export function EditGroup({ group, opened, onClose }: Opened & { group: GroupSeen }) {
  const save = useChanging(
    (body: Said) =>
      take(
        api.PATCH("/api/v1/groups/{group_id}", {
          params: { path: { group_id: group.id }, header: { "If-Match": `"${group.version}"` } },
          body,
        }),
      ),
    () => "The group is saved.",
    { onDone: onClose },
  );
  return (
    <Modal opened={opened} onClose={onClose} title={`Edit ${group.name}`}>
      <NameAndDescription said={group} done="Save" onDone={save.mutate} pending={save.isPending} error={save.error} />
    </Modal>
  );
}
