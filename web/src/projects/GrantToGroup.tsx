/** Giving a group a role in a project, or changing it, once it is seen who gains and loses what. */
import { Modal, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api, take } from "../api/client";
import { GroupPicker } from "../components/Pickers";
import { Told } from "../components/Told";
import { Outlook, SaveOrNot } from "../tenancy/Saving";
import { useMe } from "../tenancy/session";
import { useChangingProject } from "./changing";
import { type End, endOf, Until } from "./Until";
import { type GroupGrant, grantOrChange, type Project, ROLE_MEANS, type Role, rolesToInvite } from "./words";

interface Props {
  project: Project;
  grant: GroupGrant | undefined;
  onClose: () => void;
}

export function GrantToGroup({ opened, ...props }: Props & { opened: boolean }) {
  const { grant, project } = props;
  const title = grant ? `${grant.group.name} in ${project.name}` : `Give a group a role in ${project.name}`;
  return (
    <Modal opened={opened} onClose={props.onClose} title={title} size="lg">
      <Granting {...props} />
    </Modal>
  );
}

function Granting({ project, grant, onClose }: Props) {
  const [group, setGroup] = useState<string | null>(grant?.group.id ?? null);
  const [role, setRole] = useState<Role>(grant?.role ?? "Business User");
  const [end, setEnd] = useState<End>(grant ? "as it is" : "for good");
  const foreseen = useForeseeing(group, grant);
  const save = useChangingProject(
    () =>
      take(
        api.PUT("/api/v1/projects/{project_id}/groups/{group_id}", {
          params: {
            path: { project_id: project.id, group_id: group ?? "" },
            ...(grant ? { header: { "If-Match": `"${grant.version}"` } } : {}),
          },
          body: { role, ...endOf(end) },
        }),
      ),
    (now) => `Everybody in ${now.group.name} is ${now.role} in ${project.name} now, or more.`,
    onClose,
  );
  const another = group !== null && role !== grant?.role;
  const change = grantOrChange(grant?.role ?? null);
  return (
    <Stack>
      {!grant && <GroupPicker label="Group" value={group} onChange={setGroup} required />}
      <Select
        label="Role"
        description={ROLE_MEANS[role]}
        data={rolesToInvite(project.actions)}
        value={role}
        onChange={(value) => setRole((value ?? role) as Role)}
        allowDeselect={false}
      />
      <Until value={end} onChange={setEnd} kept={grant !== undefined} />
      {foreseen ? (
        <Outlook changes={another ? [{ change, project: project.id, group, role }] : []} later={false} />
      ) : (
        group && (
          <Text size="sm" c="dimmed">
            Who is in this group is not for you to see, so neither is who would gain by it.
          </Text>
        )
      )}
      <Told error={save.error} />
      {group && (another || end !== "as it is") && (
        <SaveOrNot done="Give it" pending={save.isPending} save={() => save.mutate(undefined)} leave={onClose} />
      )}
    </Stack>
  );
}

/** Whom a group reaches is told to those who see who is in it; a project's Admin sees into those with a role there. */
function useForeseeing(group: string | null, grant: GroupGrant | undefined): boolean {
  const me = useMe();
  if (group === null) return false;
  const asksAboutAnybody = me.tenant.actions.includes("ask_about_anybody_s_access");
  return asksAboutAnybody || grant !== undefined || me.groups.some((one) => one.id === group);
}
