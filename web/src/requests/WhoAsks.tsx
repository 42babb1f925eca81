/** Who asks, for whoever decides: what they have there now, and who they are as far as that is for one to know. */
import { Avatar, Badge, Group, Paper, Stack, Text } from "@mantine/core";
import { Moment } from "../components/Moment";
import type { AccessRequest } from "./words";

export function WhoAsks({ request }: { request: AccessRequest }) {
  const { requester, standing } = request;
  return (
    <Paper withBorder p="md" component="section" aria-label="Who asks">
      <Group wrap="nowrap" align="flex-start">
        <Avatar name={requester.name} color="petrol" aria-hidden />
        <Stack gap={4} miw={0}>
          <Text>
            <b>{requester.name}</b>{" "}
            <Text span c="dimmed" size="sm">
              {requester.email}
            </Text>
          </Text>
          {standing && <Standing standing={standing} ofProject={request.resource.type === "project"} />}
        </Stack>
      </Group>
    </Paper>
  );
}

interface Props {
  standing: NonNullable<AccessRequest["standing"]>;
  ofProject: boolean;
}

function Standing({ standing, ofProject }: Props) {
  const has = standing.level ?? standing.role ?? "none";
  return (
    <>
      <Text size="sm" component="div">
        {has === "none" ? (ofProject ? "Not in the project yet" : "Has no level there yet") : `Has ${has} there now`}
        {standing.granted && standing.granted_until && (
          <>
            , until <Moment at={standing.granted_until} />
          </>
        )}
        {has !== "none" && standing.granted === null && ", though not by a grant of their own"}
        {standing.tenant_role !== null && ` · tenant role ${standing.tenant_role}`}
      </Text>
      {standing.groups.length > 0 && (
        <Group gap="xs">
          {standing.groups.map((group) => (
            <Badge key={group.id} variant="light" tt="none">
              {group.name}
            </Badge>
          ))}
        </Group>
      )}
    </>
  );
}
