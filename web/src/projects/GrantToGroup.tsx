/** Giving a group a role in a project, or changing it, once it is seen who gains and loses what. */
import { Modal, Select, Text } from "@mantine/core";
import { useState } from "react";
import { GroupPicker } from "../components/Pickers";
import { Until } from "../components/share/Until";
import { useChanging } from "../tenancy/changing";
import { Outlook, Saving } from "../tenancy/Saving";
import { useMe } from "../tenancy/session";
import { setGroupRole, takeGroupRole } from "./changing";
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
  const [until, setUntil] = useState<string | null | undefined>(grant ? undefined : null);
  const foreseen = useForeseeing(group, grant);
  const save = useChanging<void, GroupGrant>(
    () => setGroupRole(project, group ?? "", { role, expires_at: until }, grant?.version),
    (now) => `Everybody in ${now.group.name} is ${now.role} in ${project.name} now, or more.`,
    {
      onDone: onClose,
      undo: (now) =>
        grant
          ? setGroupRole(project, grant.group.id, { role: grant.role, expires_at: grant.expires_at }, now.version)
          : takeGroupRole(project, now),
    },
  );
  const another = group !== null && role !== grant?.role;
  const change = grantOrChange(grant?.role ?? null);
  return (
    <Saving
      done={grant ? "Save" : "Give it"}
      changed={group !== null && (another || until !== undefined)}
      pending={save.isPending}
      error={save.error}
      save={() => save.mutate()}
      leave={onClose}
    >
      {!grant && <GroupPicker label="Group" value={group} onChange={setGroup} required />}
      <Select
        label="Role"
        description={ROLE_MEANS[role]}
        data={rolesToInvite(project.actions)}
        value={role}
        onChange={(value) => setRole((value ?? role) as Role)}
        allowDeselect={false}
      />
      <Until now={grant?.expires_at} onChange={setUntil} />
      {foreseen ? (
        <Outlook changes={another ? [{ change, project: project.id, group, role }] : []} later={false} />
      ) : (
        group && (
          <Text size="sm" c="dimmed">
            Who is in this group is not for you to see, so neither is who would gain by it.
          </Text>
        )
      )}
    </Saving>
  );
}

/** Whom a group reaches is told to those who see who is in it; a project's Admin sees into those with a role there. */
function useForeseeing(group: string | null, grant: GroupGrant | undefined): boolean {
  const me = useMe();
  if (group === null) return false;
  const asksAboutAnybody = me.tenant.actions.includes("ask_about_anybody_s_access");
  return asksAboutAnybody || grant !== undefined || me.groups.some((one) => one.id === group);
}
