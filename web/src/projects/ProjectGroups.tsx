/** The groups that have a role in a project: everybody in one has it. */
import { Badge, Button, Group, Stack } from "@mantine/core";
import { IconUsersGroup, IconUsersPlus } from "@tabler/icons-react";
import { useState } from "react";
import { api, take } from "../api/client";
import { Empty } from "../components/Empty";
import { TextLink } from "../components/links";
import { Moment } from "../components/Moment";
import { useListed } from "../components/narrowing";
import { type Column, ResourceList } from "../components/ResourceList";
import { BY_NAME, type ByName } from "../components/sorting";
import { GrantToGroup } from "./GrantToGroup";
import { RoleBadge } from "./Origins";
import { TakeFromGroup } from "./TakeFromGroup";
import type { GroupGrant, Project } from "./words";

type Row = GroupGrant & { id: string };

type Doing = { what: "grant"; grant?: GroupGrant } | { what: "take"; grant: GroupGrant };

export function ProjectGroups({ project }: { project: Project }) {
  const [doing, setDoing] = useState<Doing>();
  const stop = () => setDoing(undefined);
  const may = project.actions.includes("change_a_member_s_role");
  const columns: Column<Row, ByName>[] = [
    {
      name: "Group",
      sort: "name",
      cell: (row) => (
        <Group gap="xs">
          <TextLink to="/groups/$groupId" params={{ groupId: row.group.id }} fw={600}>
            {row.group.name}
          </TextLink>
          {row.is_all && (
            <Badge variant="light" tt="none">
              everybody
            </Badge>
          )}
        </Group>
      ),
    },
    { name: "Role", cell: (row) => <RoleBadge role={row.role} /> },
    { name: "Until", cell: (row) => (row.expires_at ? <Moment at={row.expires_at} /> : "for good") },
    { name: "Granted", cell: (row) => <Moment at={row.granted_at} /> },
  ];
  if (may) columns.push({ name: "", align: "right", cell: (row) => <RowActions row={row} onDo={setDoing} /> });
  return (
    <Stack>
      <ResourceList
        of={["projects", project.id, "groups"]}
        read={async (query) => {
          const params = { path: { project_id: project.id }, query };
          const page = await take(api.GET("/api/v1/projects/{project_id}/groups", { params }));
          return { ...page, items: page.items.map((grant) => ({ ...grant, id: grant.group.id })) };
        }}
        columns={columns}
        {...useListed(BY_NAME, "Find a group")}
        filters={
          may && (
            <Button ml="auto" leftSection={<IconUsersPlus size={16} />} onClick={() => setDoing({ what: "grant" })}>
              Give a group a role
            </Button>
          )
        }
        empty={
          <Empty icon={IconUsersGroup} title="No group has a role here">
            {may
              ? "Give one a role: everybody in it has it, and loses it with the group."
              : "An Admin of this project can give one a role."}
          </Empty>
        }
      />
      <GrantToGroup project={project} opened={doing?.what === "grant"} grant={doing?.grant} onClose={stop} />
      <TakeFromGroup project={project} grant={doing?.what === "take" ? doing.grant : undefined} onClose={stop} />
    </Stack>
  );
}

function RowActions({ row, onDo }: { row: Row; onDo: (doing: Doing) => void }) {
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Change the role of ${row.group.name}`}
        onClick={() => onDo({ what: "grant", grant: row })}
      >
        Change
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Take the role of ${row.group.name}`}
        onClick={() => onDo({ what: "take", grant: row })}
      >
        Take it
      </Button>
    </Group>
  );
}
