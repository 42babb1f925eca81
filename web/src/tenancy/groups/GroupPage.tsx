/** One group: who is in it, what it was granted, and what can be done with it. */
import { Button, Group as Row, Skeleton, Stack, Text } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { counted, howMany } from "../../components/numbers";
import { Page } from "../../components/Page";
import { Parts } from "../../components/Parts";
import { ResourcePage } from "../../components/ResourcePage";
import { Lost, TypeTheName } from "../../components/TypeTheName";
import { useChanging } from "../changing";
import { mayInTenant, useMe } from "../session";
import { type GroupSeen, groupKey } from "./changing";
import { EditGroup } from "./GroupForm";
import { GroupGrants, useGrants } from "./GroupGrants";
import { GroupMembers } from "./GroupMembers";

const route = getRouteApi("/inside/groups/$groupId");

export function GroupPage() {
  const { groupId } = route.useParams();
  return (
    <ResourcePage
      query={{
        queryKey: groupKey(groupId),
        queryFn: () => take(api.GET("/api/v1/groups/{group_id}", { params: { path: { group_id: groupId } } })),
      }}
    >
      {(group) => <Shown group={group} />}
    </ResourcePage>
  );
}

function Shown({ group }: { group: GroupSeen }) {
  const { part } = route.useSearch();
  const navigate = route.useNavigate();
  const looksIn = group.actions.includes("see_who_is_in_it");
  const lookedAfter = mayInTenant(useMe(), "create_groups");
  return (
    <Page title={group.name} about={group.description} actions={<Changing group={group} />}>
      {!looksIn && (
        <Stack align="center" py="xl">
          <Empty icon={IconLock} title="Who is in it is not for you to see">
            {group.is_all
              ? "All holds everybody who is here, always. What is granted to All is granted to you."
              : "Its members see each other, and tenant owners and admins see everybody."}
          </Empty>
        </Stack>
      )}
      {group.is_all && looksIn && (
        <Text size="sm" c="dimmed">
          It can be neither edited nor deleted. What it was granted, everybody has.
        </Text>
      )}
      <Parts
        parts={[
          looksIn && {
            name: "members",
            label: group.size === null ? "Members" : `Members (${counted(group.size)})`,
            show: () => <GroupMembers group={group} />,
          },
          lookedAfter && { name: "grants", label: "What it was granted", show: () => <GroupGrants group={group} /> },
        ]}
        shown={part}
        onShow={(name) => navigate({ search: { part: name } })}
      />
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
  const remove = useChanging<void, unknown>(
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
    () => `The group ${group.name} is deleted.`,
    { onDone: () => navigate({ to: "/groups" }) },
  );
  const granted = grants.data ?? [];
  const loses = `${howMany(group.size ?? 0, "member")} no longer ${group.size === 1 ? "has" : "have"} what it was granted`;
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
