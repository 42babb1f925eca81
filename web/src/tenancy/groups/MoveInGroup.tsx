/** Putting somebody into a group, or taking them out, once it is seen who gains and loses what. */
import { Modal, Text } from "@mantine/core";
import { api } from "../../api/client";
import { useChanging } from "../changing";
import { Outlook, Saving } from "../Saving";

export interface Move {
  into: boolean;
  group: { id: string; name: string };
  member: { id: string; name: string; state: string };
}

export function MoveInGroup({ move, onClose }: { move: Move | undefined; onClose: () => void }) {
  const title =
    move &&
    (move.into
      ? `Put ${move.member.name} into ${move.group.name}`
      : `Take ${move.member.name} out of ${move.group.name}`);
  return (
    <Modal opened={move !== undefined} onClose={onClose} title={title} size="lg">
      {move && <Moving move={move} onClose={onClose} />}
    </Modal>
  );
}

async function move(into: boolean, group_id: string, member_id: string): Promise<void> {
  if (into) {
    await api.POST("/api/v1/groups/{group_id}/members", {
      params: { path: { group_id } },
      body: { member_ids: [member_id] },
    });
  } else {
    await api.DELETE("/api/v1/groups/{group_id}/members/{member_id}", { params: { path: { group_id, member_id } } });
  }
}

function Moving({ move: { into, group, member }, onClose }: { move: Move; onClose: () => void }) {
  const save = useChanging<void, unknown>(
    () => move(into, group.id, member.id),
    () => (into ? `${member.name} is in ${group.name} now.` : `${member.name} is no longer in ${group.name}.`),
    { onDone: onClose, undo: () => move(!into, group.id, member.id) },
  );
  const change = into ? "add_to_group" : "remove_from_group";
  return (
    <Saving
      done={into ? "Put them in" : "Take them out"}
      takes={!into}
      pending={save.isPending}
      error={save.error}
      save={() => save.mutate()}
      leave={onClose}
    >
      <Text size="sm">
        {into
          ? `Whatever ${group.name} was granted counts for ${member.name} from then on.`
          : `${member.name} keeps what they have from elsewhere.`}
      </Text>
      <Outlook changes={[{ change, group: group.id, member: member.id }]} later={member.state !== "active"} />
    </Saving>
  );
}
