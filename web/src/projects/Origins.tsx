/** A role in a project, and every place it comes from, the highest first. */
import { Badge, Group, Stack, Text } from "@mantine/core";
import { TextLink } from "../components/links";
import { Moment } from "../components/Moment";
import { type Origin, type Role, whence } from "./words";

export function RoleBadge({ role }: { role: Role | null }) {
  if (!role) {
    return (
      <Text span size="sm" c="dimmed">
        none
      </Text>
    );
  }
  const looks = {
    Admin: { variant: "filled", color: "petrol" },
    "Technical User": { variant: "light", color: "petrol" },
    "Business User": { variant: "outline", color: "gray" },
  } as const;
  return (
    <Badge {...looks[role]} tt="none" miw="max-content">
      {role}
    </Badge>
  );
}

export function Origins({ origins }: { origins: readonly Origin[] }) {
  return (
    <Stack gap={2} miw={190}>
      {origins.map((origin) => (
        <OneOrigin
          key={`${origin.source} ${origin.group?.id} ${origin.role}`}
          origin={origin}
          several={origins.length > 1}
        />
      ))}
    </Stack>
  );
}

function OneOrigin({ origin, several }: { origin: Origin; several: boolean }) {
  return (
    <Group gap={4}>
      <Text size="sm">
        {several && `${origin.role} `}
        {origin.group ? (
          <>
            through the group{" "}
            <TextLink to="/groups/$groupId" params={{ groupId: origin.group.id }} size="sm" underline="always">
              {origin.group.name}
            </TextLink>
          </>
        ) : (
          whence(origin)
        )}
        {origin.expires_at && (
          <Text span size="sm" c="dimmed">
            {" "}
            · ends <Moment at={origin.expires_at} />
          </Text>
        )}
      </Text>
    </Group>
  );
}
