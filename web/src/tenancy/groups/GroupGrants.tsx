/** What a group was granted, and everybody in it has. */
import { List, Skeleton, Stack } from "@mantine/core";
import { IconGift } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { Told } from "../../components/Told";
import type { GroupSeen } from "./changing";
import { type Granted, said, whereIs } from "./granted";

function read(group: GroupSeen) {
  return {
    queryKey: ["groups", group.id, "grants"],
    queryFn: () => take(api.GET("/api/v1/groups/{group_id}/grants", { params: { path: { group_id: group.id } } })),
  };
}

/** A line for each thing that falls away with the group. */
export function useGrants(group: GroupSeen, enabled: boolean) {
  return useQuery({ ...read(group), enabled, select: ({ items }) => items.map(said) });
}

export function GroupGrants({ group }: { group: GroupSeen }) {
  const found = useQuery(read(group));
  if (found.error) return <Told error={found.error} />;
  if (!found.data) return <Skeleton height={80} />;
  if (found.data.items.length === 0) {
    return (
      <Stack align="center" py="xl">
        <Empty icon={IconGift} title="Nothing was granted to it yet">
          Give the group a role on a project's page, or a level where a layer, table or volume is shared.
        </Empty>
      </Stack>
    );
  }
  return (
    <List spacing="xs">
      {found.data.items.map((granted) => (
        <List.Item key={said(granted)}>
          <Granting granted={granted} />
        </List.Item>
      ))}
    </List>
  );
}

function Granting({ granted }: { granted: Granted }) {
  const there = whereIs(granted);
  if (!there) return said(granted);
  return (
    <>
      {there.before}
      <TextLink {...there.page} underline="always">
        {there.name}
      </TextLink>
    </>
  );
}
