/** One group: who is in it, what it was granted, and what can be done with it. */
import { Button, Group as Row, Skeleton, Stack, Text } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { Page } from "../../components/Page";
import { type Part, Parts } from "../../components/Parts";
import { Trouble } from "../../components/Trouble";
import { Lost, TypeTheName } from "../TypeTheName";
import { howMany } from "../words";
import { type GroupSeen, groupKey, useChangingGroup } from "./changing";
import { EditGroup } from "./GroupForm";
import { GroupGrants, useGrants } from "./GroupGrants";
import { GroupMembers } from "./GroupMembers";

const route = getRouteApi("/inside/groups/$groupId");

export function GroupPage() {
  const { groupId } = route.useParams();
  const found = useQuery({
    queryKey: groupKey(groupId),
    queryFn: () => take(api.GET("/api/v1/groups/{group_id}", { params: { path: { group_id: groupId } } })),
  });
  if (found.error) return <Trouble error={found.error} />;
  if (!found.data) return <Skeleton height={220} />;
  return <Shown group={found.data} />;
}

function Shown({ group }: { group: GroupSeen }) {
  const { part } = route.useSearch();
  const navigate = route.useNavigate();
  const parts: Part<"members" | "grants">[] = [];
  if (group.actions.includes("see_who_is_in_it")) {
    const label = group.size === null ? "Members" : `Members (${group.size.toLocaleString("en")})`;
    parts.push({ name: "members", label, show: () => <GroupMembers group={group} /> });
  }
  // What a group was granted is told to those who would have to know it before deleting the group.
  if (group.actions.includes("delete")) {
    parts.push({ name: "grants", label: "What it was granted", show: () => <GroupGrants group={group} /> });
  }
  return (
    <Page title={group.name} about={group.description} actions={<Changing group={group} />}>
      {parts.length === 0 && (
        <Stack align="center" py="xl">
          <Empty icon={IconLock} title="Who is in it is not for you to see">
            {group.is_all
              ? "All holds everybody who is here, always. What is granted to All is granted to you."
              : "Its members see each other, and tenant owners and admins see everybody."}
          </Empty>
        </Stack>
      )}
      {group.is_all && parts.length > 0 && (
        <Text size="sm" c="dimmed">
          All holds everybody who is here, always: it can be neither edited nor deleted.
        </Text>
      )}
      <Parts parts={parts} shown={part} onShow={(name) => navigate({ search: { part: name }, replace: true })} />
    </Page>
  );
}

function Changing({ group }: { group: GroupSeen }) {
  const [doing, setDoing] = useState<"edit" | "delete">();
  const { actions } = group;
  if (!actions.includes("edit")) return null;
  return (
    <Row gap="xs" wrap="nowrap">
      <Button variant="default" onClick={() => setDoing("edit")}>
        Edit
      </Button>
      {actions.includes("delete") && (
        <Button variant="default" onClick={() => setDoing("delete")}>
          Delete
        </Button>
      )}
      <EditGroup key={group.version} group={group} opened={doing === "edit"} onClose={() => setDoing(undefined)} />
      <DeleteGroup group={group} opened={doing === "delete"} onClose={() => setDoing(undefined)} />
    </Row>
  );
}

function DeleteGroup({ group, opened, onClose }: { group: GroupSeen; opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const grants = useGrants(group, opened);
  const remove = useChangingGroup<void, unknown>(
    () =>
      take(
        api.DELETE("/api/v1/groups/{group_id}", {
          params: {
            path: { group_id: group.id },
            query: { confirm: group.name },
            header: { "If-Match": `"${group.version}"` },
          },
        }),
      ),
    `The group ${group.name} is deleted.`,
    () => navigate({ to: "/groups" }),
  );
  const granted = grants.data ?? [];
  const loses = `${howMany(group.size ?? 0, "member")} no longer have what it was granted`;
  return (
    <TypeTheName
      opened={opened}
      onClose={onClose}
      title={`Delete ${group.name}?`}
      name={group.name}
      done={`Delete ${group.name}`}
      act={() => remove.mutate()}
      pending={remove.isPending}
      error={remove.error ?? grants.error}
    >
      {grants.isPending ? (
        <Skeleton height={40} />
      ) : (
        <Lost
          lines={granted.length ? [`${loses}:`, ...granted.map((what) => `· ${what}`)] : ["It was granted nothing."]}
        />
      )}
    </TypeTheName>
  );
}
