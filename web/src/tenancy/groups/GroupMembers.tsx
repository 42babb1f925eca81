/** Who is in a group; put in and taken out by those who look after it. */
import { Button, Group as Row, Stack, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { useListed } from "../../components/narrowing";
import { MemberPicker } from "../../components/Pickers";
import { type Column, ResourceList } from "../../components/ResourceList";
import { BY_NAME, type ByName } from "../../components/sorting";
import { MemberState } from "../MemberState";
import { memberKey } from "../members/changing";
import type { GroupSeen } from "./changing";
import { type Move, MoveInGroup } from "./MoveInGroup";

type Person = Schemas["PersonOut"];

export function GroupMembers({ group }: { group: GroupSeen }) {
  const may = group.actions.includes("edit");
  const [move, setMove] = useState<Move>();
  const columns: Column<Person, ByName>[] = [
    {
      name: "Name",
      sort: "name",
      cell: (person) => (
        <>
          <Named person={person} />
          <Text size="sm" c="dimmed">
            {person.email}
          </Text>
        </>
      ),
    },
    { name: "State", cell: (person) => <MemberState state={person.state} /> },
  ];
  if (may) {
    columns.push({
      name: "",
      align: "right",
      cell: (member) => (
        <Button size="compact-sm" variant="default" onClick={() => setMove({ into: false, group, member })}>
          Take out
        </Button>
      ),
    });
  }
  return (
    <Stack>
      {may && <PutIn onChosen={(member) => setMove({ into: true, group, member })} />}
      <ResourceList
        of={["groups", group.id, "members"]}
        read={(page) =>
          take(api.GET("/api/v1/groups/{group_id}/members", { params: { path: { group_id: group.id }, query: page } }))
        }
        columns={columns}
        {...useListed(BY_NAME, "Find somebody in it")}
        empty={
          <Empty icon={IconUsers} title="Nobody is in it yet">
            Choose somebody above: you see what they would gain before they are in.
          </Empty>
        }
      />
      <MoveInGroup move={move} onClose={() => setMove(undefined)} />
    </Stack>
  );
}

/** With their page, for those who may see it. */
function Named({ person }: { person: Person }) {
  if (!person.actions.includes("see")) return <Text fw={600}>{person.name}</Text>;
  return (
    <TextLink to="/members/$memberId" params={{ memberId: person.id }} fw={600}>
      {person.name}
    </TextLink>
  );
}

function PutIn({ onChosen }: { onChosen: (member: Move["member"]) => void }) {
  const cache = useQueryClient();
  const [chosen, setChosen] = useState<string | null>(null);
  const look = async () => {
    if (!chosen) return;
    onChosen(
      await cache.fetchQuery({
        queryKey: memberKey(chosen),
        queryFn: () => take(api.GET("/api/v1/members/{member_id}", { params: { path: { member_id: chosen } } })),
      }),
    );
    setChosen(null);
  };
  return (
    <Row align="flex-end">
      <MemberPicker label="Put somebody in" value={chosen} onChange={setChosen} takes={["invited", "active"]} />
      <Button variant="default" disabled={!chosen} onClick={look}>
        See what changes
      </Button>
    </Row>
  );
}
