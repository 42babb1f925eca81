/** Taking somebody's role in a project, once it is seen what they lose and what they keep from elsewhere. */
import { Modal, Text } from "@mantine/core";
import { useChanging } from "../tenancy/changing";
import { Outlook, Saving } from "../tenancy/Saving";
import { giveBack, takeRole } from "./changing";
import { Origins } from "./Origins";
import type { Project, ProjectMember } from "./words";

interface Props {
  project: Project;
  member: ProjectMember | undefined;
  onClose: () => void;
}

export function RemoveFromProject({ project, member, onClose }: Props) {
  return (
    <Modal
      opened={member !== undefined}
      onClose={onClose}
      title={`Remove ${member?.name} from ${project.name}?`}
      size="lg"
    >
      {member && <Removing project={project} member={member} onClose={onClose} />}
    </Modal>
  );
}

function Removing({ project, member, onClose }: Props & { member: ProjectMember }) {
  // With the invitation of who has not joined yet goes more than the role: that does not come back by itself.
  const comesBack = member.state === "active";
  const remove = useChanging<void, { note: string | null }>(
    () => takeRole(project, member),
    (left) => left.note ?? `${member.name} is no longer in ${project.name}.`,
    { onDone: onClose, ...(comesBack && { undo: () => giveBack(project, member) }) },
  );
  const elsewhere = member.origins.filter((origin) => origin.source !== "grant");
  return (
    <Saving
      done={`Remove ${member.name}`}
      takes
      pending={remove.isPending}
      error={remove.error}
      save={() => remove.mutate()}
      leave={onClose}
    >
      <Text size="sm">
        The role {member.granted_role} that was granted here falls away. {member.name} stays in the tenant.
      </Text>
      {elsewhere.length > 0 && (
        <div>
          <Text size="sm">They keep:</Text>
          <Origins origins={elsewhere} />
        </div>
      )}
      {member.actions.includes("delete_members") && (
        <Outlook
          changes={[{ change: "revoke_project_role", project: project.id, member: member.id }]}
          later={!comesBack}
        />
      )}
    </Saving>
  );
}
