/** Groups: names for everybody; who is in them, for those inside and those who look after them. */
import { Badge, Button, Group as Row, Text } from "@mantine/core";
import { IconUsersGroup, IconUsersPlus } from "@tabler/icons-react";
import { useState } from "react";
import { api, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { useListed } from "../../components/narrowing";
import { counted } from "../../components/numbers";
import { Page } from "../../components/Page";
import { type Column, ResourceList } from "../../components/ResourceList";
import { BY_NAME, type ByName } from "../../components/sorting";
import { mayInTenant, useMe } from "../session";
import type { GroupSeen } from "./changing";
import { NewGroup } from "./GroupForm";

export function Groups() {
  const me = useMe();
  const [making, setMaking] = useState(false);
  const mine = new Set(me.groups.map((group) => group.id));
  const columns: Column<GroupSeen, ByName>[] = [
    {
      name: "Group",
      sort: "name",
      cell: (group) => (
        <Row gap="xs">
          <TextLink to="/groups/$groupId" params={{ groupId: group.id }} fw={600}>
            {group.name}
          </TextLink>
          {mine.has(group.id) && (
            <Badge variant="light" tt="none">
              you are in it
            </Badge>
          )}
        </Row>
      ),
    },
    { name: "Description", cell: (group) => group.description },
    {
      name: "Members",
      align: "right",
      cell: (group) =>
        group.size === null ? (
          <Text span size="sm" c="dimmed">
            not for you to see
          </Text>
        ) : (
          counted(group.size)
        ),
    },
  ];
  return (
    <Page
      title="Groups"
      about="Whatever can be granted to a person can be granted to a group: everybody in it has it."
      actions={
        mayInTenant(me, "create_groups") && (
          <Button leftSection={<IconUsersPlus size={16} />} onClick={() => setMaking(true)}>
            New group
          </Button>
        )
      }
    >
      <ResourceList
        of={["groups"]}
        read={(page) => take(api.GET("/api/v1/groups", { params: { query: page } }))}
        columns={columns}
        {...useListed(BY_NAME, "Find a group")}
        empty={
          <Empty icon={IconUsersGroup} title="There is no group yet">
            Tenant owners and admins make them.
          </Empty>
        }
      />
      <NewGroup opened={making} onClose={() => setMaking(false)} />
    </Page>
  );
}
