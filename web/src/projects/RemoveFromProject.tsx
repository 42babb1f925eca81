/** Taking somebody's role in a project, once it is seen what they lose and what they keep from elsewhere. */
import { Modal, Stack, Text } from "@mantine/core";
import { api, take } from "../api/client";
import { Told } from "../components/Told";
import { Outlook, SaveOrNot } from "../tenancy/Saving";
import { useChangingProject } from "./changing";
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
  const remove = useChangingProject(
    () =>
      take(
        api.DELETE("/api/v1/projects/{project_id}/members/{member_id}", {
          params: {
            path: { project_id: project.id, member_id: member.id },
            header: { "If-Match": `"${member.version}"` },
          },
        }),
      ),
    (left) => left.note ?? `${member.name} is no longer in ${project.name}.`,
    onClose,
  );
  const elsewhere = member.origins.filter((origin) => origin.source !== "grant");
  return (
    <Stack>
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
          later={member.state !== "active"}
        />
      )}
      <Told error={remove.error} />
      <SaveOrNot
        done={`Remove ${member.name}`}
        pending={remove.isPending}
        save={() => remove.mutate(undefined)}
        leave={onClose}
      />
    </Stack>
  );
}
