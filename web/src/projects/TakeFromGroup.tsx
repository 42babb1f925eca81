/** Taking a group's role in a project, once it is seen who loses what. */
import { Modal, Stack, Text } from "@mantine/core";
import { api } from "../api/client";
import { Told } from "../components/Told";
import { Outlook, SaveOrNot } from "../tenancy/Saving";
import { useChangingProject } from "./changing";
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
  const take = useChangingProject<void, unknown>(
    () =>
      api.DELETE("/api/v1/projects/{project_id}/groups/{group_id}", {
        params: {
          path: { project_id: project.id, group_id: grant.group.id },
          header: { "If-Match": `"${grant.version}"` },
        },
      }),
    () => `${grant.group.name} has no role in ${project.name} any more.`,
    onClose,
  );
  return (
    <Stack>
      <Text size="sm">Everybody in {grant.group.name} keeps what they have from elsewhere.</Text>
      <Outlook
        changes={[{ change: "revoke_project_role", project: project.id, group: grant.group.id }]}
        later={false}
      />
      <Told error={take.error} />
      <SaveOrNot done="Take it" pending={take.isPending} save={() => take.mutate()} leave={onClose} />
    </Stack>
  );
}
