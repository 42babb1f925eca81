/** Everybody with a role in a project: which, and every place it comes from. */
import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { IconUserPlus, IconUsers } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../api/client";
import { Empty } from "../components/Empty";
import { TextLink } from "../components/links";
import { useListed } from "../components/narrowing";
import { type Column, ResourceList } from "../components/ResourceList";
import { BY_NAME, type ByName } from "../components/sorting";
import { MemberState } from "../tenancy/MemberState";
import { ChangeRole } from "./ChangeRole";
import { InviteToProject } from "./InviteToProject";
import { Origins, RoleBadge } from "./Origins";
import { RemoveFromProject } from "./RemoveFromProject";
import { type Project, type ProjectMember, ROLES, type Role, rolesToInvite } from "./words";

const route = getRouteApi("/inside/projects/$projectId");

type Doing = { what: "change" | "remove"; member: ProjectMember };

export function ProjectMembers({ project }: { project: Project }) {
  const { role } = route.useSearch();
  const navigate = route.useNavigate();
  const [inviting, setInviting] = useState(false);
  const [doing, setDoing] = useState<Doing>();
  const columns = [...COLUMNS];
  const stop = () => setDoing(undefined);
  columns.push({ name: "", align: "right", cell: (member) => <RowActions member={member} onDo={setDoing} /> });
  return (
    <Stack>
      <ResourceList
        of={["projects", project.id, "members", role]}
        read={(page) =>
          take(
            api.GET("/api/v1/projects/{project_id}/members", {
              params: { path: { project_id: project.id }, query: { ...page, role } },
            }),
          )
        }
        columns={columns}
        {...useListed(BY_NAME, "Find somebody")}
        unfilter={role && (() => navigate({ search: ({ part }) => ({ part }), replace: true }))}
        filters={
          <>
            <Select
              aria-label="Filter by role"
              placeholder="Any role"
              clearable
              data={ROLES}
              value={role ?? null}
              onChange={(value) =>
                navigate({
                  search: (before) => ({ ...before, role: (value as Role | null) ?? undefined }),
                  replace: true,
                })
              }
            />
            {rolesToInvite(project.actions).length > 0 && (
              <Button ml="auto" leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
                Invite somebody
              </Button>
            )}
          </>
        }
        empty={
          <Empty icon={IconUsers} title="Nobody has this role">
            Roles come from a grant here, from the tenant role, or through a group.
          </Empty>
        }
      />
      <InviteToProject project={project} opened={inviting} onClose={() => setInviting(false)} />
      <ChangeRole project={project} member={doing?.what === "change" ? doing.member : undefined} onClose={stop} />
      <RemoveFromProject
        project={project}
        member={doing?.what === "remove" ? doing.member : undefined}
        onClose={stop}
      />
    </Stack>
  );
}

const COLUMNS: Column<ProjectMember, ByName>[] = [
  {
    name: "Name",
    sort: "name",
    cell: (member) => (
      <>
        <Group gap="xs">
          <TextLink to="/members/$memberId" params={{ memberId: member.id }} fw={600}>
            {member.name}
          </TextLink>
          {member.state !== "active" && <MemberState state={member.state} />}
        </Group>
        <Text size="sm" c="dimmed">
          {member.email}
        </Text>
      </>
    ),
  },
  { name: "Role", cell: (member) => <RoleBadge role={member.role} /> },
  { name: "Where it comes from", cell: (member) => <Origins origins={member.origins} /> },
];

/** A role from elsewhere can be added to here, not taken; to the highest nothing can be added. */
function RowActions({ member, onDo }: { member: ProjectMember; onDo: (doing: Doing) => void }) {
  const { actions } = member;
  const mayRemove = actions.includes("delete_members") || actions.includes("withdraw_invitation");
  const canChange = member.granted_role !== null || member.role !== "Admin";
  const label = actions.includes("delete_members") ? "Remove" : "Withdraw";
  return (
    <Group gap="xs" justify="flex-end">
      {canChange && actions.includes("change_a_member_s_role") && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Change the role of ${member.name}`}
          onClick={() => onDo({ what: "change", member })}
        >
          Change
        </Button>
      )}
      {mayRemove && member.granted_role && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${label} ${member.name}`}
          onClick={() => onDo({ what: "remove", member })}
        >
          {label}
        </Button>
      )}
    </Group>
  );
}
