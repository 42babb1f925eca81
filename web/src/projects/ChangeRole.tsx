/** Changing what somebody is granted in a project, or until when, once it is seen who gains and loses what. */
import { Modal, Select, Text } from "@mantine/core";
import { useState } from "react";
import { Until } from "../components/share/Until";
import { useChanging } from "../tenancy/changing";
import { Outlook, Saving } from "../tenancy/Saving";
import { changeRole, takeRole } from "./changing";
import { Origins } from "./Origins";
import { grantOrChange, type Project, type ProjectMember, ROLE_MEANS, type Role, rolesToInvite } from "./words";

interface Props {
  project: Project;
  member: ProjectMember | undefined;
  onClose: () => void;
}

export function ChangeRole({ project, member, onClose }: Props) {
  return (
    <Modal opened={member !== undefined} onClose={onClose} title={`${member?.name} in ${project.name}`} size="lg">
      {member && <Changing project={project} member={member} onClose={onClose} />}
    </Modal>
  );
}

function Changing({ project, member, onClose }: Props & { member: ProjectMember }) {
  const granted = member.granted_role;
  const [role, setRole] = useState<Role | null>(granted ?? member.role);
  const [until, setUntil] = useState<string | null | undefined>(granted ? undefined : null);
  const save = useChanging<void, ProjectMember>(
    () => changeRole(project, member, { role, expires_at: until }),
    (now) => now.note ?? `${now.name} is ${now.role} now.`,
    {
      onDone: onClose,
      undo: (now) =>
        granted ? changeRole(project, now, { role: granted, expires_at: member.expires_at }) : takeRole(project, now),
    },
  );
  const another = role !== null && role !== granted && (granted !== null || role !== member.role);
  const changed = another || (granted !== null && until !== undefined);
  return (
    <Saving
      done="Save"
      changed={changed}
      pending={save.isPending}
      error={save.error}
      save={() => save.mutate()}
      leave={onClose}
    >
      <div>
        <Text size="sm" c="dimmed">
          Where it comes from now
        </Text>
        <Origins origins={member.origins} />
      </div>
      {!granted && (
        <Text size="sm">
          Nothing is granted to them here: what they have from elsewhere cannot be lowered here, only added to.
        </Text>
      )}
      <Select
        label="Role granted here"
        description={role ? ROLE_MEANS[role] : undefined}
        data={rolesToInvite(project.actions)}
        value={role}
        onChange={(value) => setRole(value as Role)}
        allowDeselect={false}
        data-autofocus
      />
      <Until now={granted ? member.expires_at : undefined} onChange={setUntil} />
      <Outlook
        changes={another ? [{ change: grantOrChange(granted), project: project.id, member: member.id, role }] : []}
        later={member.state !== "active"}
      />
      {!changed && (
        <Text size="sm" c="dimmed">
          Choose another role{granted ? " or another end" : ""} to see what would change.
        </Text>
      )}
    </Saving>
  );
}
