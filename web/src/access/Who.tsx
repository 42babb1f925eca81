/** Who can do this: everybody who may, a page at a time. */
import { Group, Stack, Text } from "@mantine/core";
import { IconUsersGroup } from "@tabler/icons-react";
import { api, type Schemas, take } from "../api/client";
import { Empty } from "../components/Empty";
import { TextLink } from "../components/links";
import { useListed } from "../components/narrowing";
import { type Column, ResourceList } from "../components/ResourceList";
import { BY_NAME, type ByName } from "../components/sorting";
import { Asking, resourceOf } from "./Asking";
import { type Asked, ofItself } from "./routes";

interface Props {
  asked: Asked;
  ask: (change: Partial<Asked>) => void;
}

export function Who({ asked, ask }: Props) {
  const resource = resourceOf(asked);
  const { action } = asked;
  const listed = useListed(BY_NAME, "Find somebody");
  return (
    <Stack gap="lg">
      <Asking asked={asked} ask={ask} without={["member"]} />
      {resource && action ? (
        <ResourceList
          of={["access", "who", resource, action]}
          read={({ sort = "name", ...page }) =>
            take(api.POST("/api/v1/access/who", { body: { action, resource, sort, ...page, limit: 50 } }))
          }
          {...listed}
          columns={columnsFor(asked)}
          empty={<Empty icon={IconUsersGroup} title="Nobody can do this" />}
        />
      ) : (
        <Group justify="center" py="lg">
          <Empty icon={IconUsersGroup} title="Who can do what?">
            Choose a kind of thing, which one, and an action: here is everybody who may, by name.
          </Empty>
        </Group>
      )}
    </Stack>
  );
}

function columnsFor(asked: Asked): Column<Schemas["AskedMember"], ByName>[] {
  return [
    { name: "Name", sort: "name", cell: (member) => <Text fw={600}>{member.name}</Text> },
    { name: "E-mail address", cell: (member) => member.email },
    {
      name: "",
      align: "right",
      cell: (member) => (
        <TextLink
          to="/access"
          search={{ ...ofItself(asked), part: "check", member: member.id }}
          size="sm"
          aria-label={`Why ${member.name} can`}
        >
          Why
        </TextLink>
      ),
    },
  ];
}
