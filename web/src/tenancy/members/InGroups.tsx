/** The groups somebody is in, as far as one may look into them. */
import { ActionIcon, Button, Group, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../../api/client";
import { TextLink } from "../../components/links";
import { GroupPicker } from "../../components/Pickers";
import { type GroupSeen, groupKey } from "../groups/changing";
import { type Move, MoveInGroup } from "../groups/MoveInGroup";
import { Panel } from "../Panel";
import { mayInTenant, useMe } from "../session";
import type { MemberDetail } from "../words";

export function InGroups({ member }: { member: MemberDetail }) {
  const may = mayInTenant(useMe(), "create_groups") && ["active", "invited"].includes(member.state);
  const [move, setMove] = useState<Move>();
  return (
    <Panel title="Groups" about="Whatever a group was granted counts for everybody in it.">
      {member.groups.length === 0 && (
        <Text size="sm" c="dimmed">
          In no group that you may look into, besides All.
        </Text>
      )}
      <Group gap="xs" display={member.groups.length ? undefined : "none"}>
        {member.groups.map((group) => (
          <Group key={group.id} gap={4} wrap="nowrap">
            <TextLink to="/groups/$groupId" params={{ groupId: group.id }} fw={600}>
              {group.name}
            </TextLink>
            {may && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={`Take them out of ${group.name}`}
                onClick={() => setMove({ into: false, group, member })}
              >
                <IconX size={14} />
              </ActionIcon>
            )}
          </Group>
        ))}
      </Group>
      {may && <PutInto member={member} onChosen={(group) => setMove({ into: true, group, member })} />}
      <MoveInGroup move={move} onClose={() => setMove(undefined)} />
    </Panel>
  );
}

function PutInto({ member, onChosen }: { member: MemberDetail; onChosen: (group: GroupSeen) => void }) {
  const cache = useQueryClient();
  const [chosen, setChosen] = useState<string | null>(null);
  const look = async () => {
    if (!chosen) return;
    onChosen(
      await cache.fetchQuery({
        queryKey: groupKey(chosen),
        queryFn: () => take(api.GET("/api/v1/groups/{group_id}", { params: { path: { group_id: chosen } } })),
      }),
    );
    setChosen(null);
  };
  const inside = member.groups.some((group) => group.id === chosen);
  return (
    <Group align="flex-end">
      <GroupPicker label="Another group" value={chosen} onChange={setChosen} />
      <Button variant="default" disabled={!chosen || inside} onClick={look}>
        {inside ? "They are in it" : "See what changes"}
      </Button>
    </Group>
  );
}
