/** Taking a group's role in a project, once it is seen who loses what. */
import { Modal, Text } from "@mantine/core";
import { useChanging } from "../tenancy/changing";
import { Outlook, Saving } from "../tenancy/Saving";
import { setGroupRole, takeGroupRole } from "./changing";
import type { GroupGrant, Project } from "./words";

interface Props {
  project: Project;
  grant: GroupGrant | undefined;
  onClose: () => void;
}

export function TakeFromGroup({ project, grant, onClose }: Props) {
  return (
    <Modal
      opened={grant !== undefined}
      onClose={onClose}
      title={`Take the role of ${grant?.group.name} in ${project.name}?`}
      size="lg"
    >
      {grant && <Taking project={project} grant={grant} onClose={onClose} />}
    </Modal>
  );
}

function Taking({ project, grant, onClose }: Props & { grant: GroupGrant }) {
  const { group, role, expires_at } = grant;
  const take = useChanging<void, unknown>(
    () => takeGroupRole(project, grant),
    () => `${group.name} has no role in ${project.name} any more.`,
    { onDone: onClose, undo: () => setGroupRole(project, group.id, { role, expires_at }) },
  );
  return (
    <Saving done="Take it" takes pending={take.isPending} error={take.error} save={() => take.mutate()} leave={onClose}>
      <Text size="sm">Everybody in {group.name} keeps what they have from elsewhere.</Text>
      <Outlook changes={[{ change: "revoke_project_role", project: project.id, group: group.id }]} later={false} />
    </Saving>
  );
}
