/** Changing what somebody is granted in a project, or until when, once it is seen who gains and loses what. */
import { Modal, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api, take } from "../api/client";
import { Told } from "../components/Told";
import { Outlook, SaveOrNot } from "../tenancy/Saving";
import { useChangingProject } from "./changing";
import { Origins } from "./Origins";
import { type End, endOf, Until } from "./Until";
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
  const [end, setEnd] = useState<End>(granted ? "as it is" : "for good");
  const save = useChangingProject(
    () =>
      take(
        api.PATCH("/api/v1/projects/{project_id}/members/{member_id}", {
          params: {
            path: { project_id: project.id, member_id: member.id },
            ...(member.version === null ? {} : { header: { "If-Match": `"${member.version}"` } }),
          },
          body: { role, ...endOf(end) },
        }),
      ),
    (now) => now.note ?? `${now.name} is ${now.role} now.`,
    onClose,
  );
  const another = role !== null && role !== granted && (granted !== null || role !== member.role);
  const changed = another || (granted !== null && end !== "as it is");
  return (
    <Stack>
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
      <Until value={end} onChange={setEnd} kept={granted !== null} />
      <Outlook
        changes={another ? [{ change: grantOrChange(granted), project: project.id, member: member.id, role }] : []}
        later={member.state !== "active"}
      />
      <Told error={save.error} />
      {changed ? (
        <SaveOrNot done="Save" pending={save.isPending} save={() => save.mutate(undefined)} leave={onClose} />
      ) : (
        <Text size="sm" c="dimmed">
          Choose another role{granted ? " or another end" : ""} to see what would change.
        </Text>
      )}
    </Stack>
  );
}
