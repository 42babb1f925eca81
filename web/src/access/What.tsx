/** What somebody can do: every action on one thing, or everything of a kind that they can do one action on. */
import { Group, Paper, Skeleton, Stack, Table, Text } from "@mantine/core";
import { IconCheck, IconListSearch, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { Empty } from "../components/Empty";
import { TextLink } from "../components/links";
import { useListed } from "../components/narrowing";
import { type Column, ResourceList } from "../components/ResourceList";
import { BY_NAME, type ByName } from "../components/sorting";
import { Told } from "../components/Told";
import { Asking, resourceOf } from "./Asking";
import { typeInWords } from "./known";
import { type Asked, ofItself } from "./routes";

interface Props {
  asked: Asked;
  ask: (change: Partial<Asked>) => void;
}

export function What({ asked, ask }: Props) {
  const resource = resourceOf(asked);
  const { type, action, member } = asked;
  const listed = useListed(BY_NAME, "Find one of them");
  return (
    <Stack gap="lg">
      <Asking asked={asked} ask={ask} optional={["id", "action"]} />
      {resource && <EveryAction asked={asked} resource={resource} />}
      {!resource && type && action && (
        <ResourceList
          of={["access", "what", type, action, member]}
          read={({ sort = "name", ...page }) =>
            take(
              api.POST("/api/v1/access/what", {
                body: { subject: member ?? null, action, resource_type: type, sort, ...page, limit: 50 },
              }),
            )
          }
          {...listed}
          columns={columnsFor(asked)}
          empty={
            <Empty icon={IconListSearch} title={`No ${typeInWords(type)}`}>
              There is none that you see and they can do this on.
            </Empty>
          }
        />
      )}
      {!resource && !(type && action) && (
        <Group justify="center" py="lg">
          <Empty icon={IconListSearch} title="What can they do?">
            Choose a kind of thing and an action to see on which of them; or choose one thing to see every action on it.
          </Empty>
        </Group>
      )}
    </Stack>
  );
}

type Resource = Schemas["AskedResource"];

/** Tables and volumes are listed by their own names, whichever layer they lie in. */
function inItsLayer({ type, name }: Resource): { layer?: string; name: string } {
  const [layer = "", ...rest] = name.split(".");
  return type === "table" || type === "volume" ? { layer, name: rest.join(".") } : { name };
}

function columnsFor(asked: Asked): Column<Resource, ByName>[] {
  return [
    { name: "Name", sort: "name", cell: (resource) => <Text fw={600}>{inItsLayer(resource).name}</Text> },
    ...(asked.type === "table" || asked.type === "volume"
      ? [{ name: "Layer", cell: (resource: Resource) => inItsLayer(resource).layer }]
      : []),
    {
      name: "",
      align: "right",
      cell: (resource) => (
        <TextLink
          to="/access"
          search={{ ...ofItself(asked), part: "check", id: resource.id }}
          size="sm"
          aria-label={`Why ${resource.name}`}
        >
          Why
        </TextLink>
      ),
    },
  ];
}

function EveryAction({ asked, resource }: { asked: Asked; resource: NonNullable<ReturnType<typeof resourceOf>> }) {
  const { member } = asked;
  const answer = useQuery({
    queryKey: ["access", "every action", resource, member],
    queryFn: () => take(api.POST("/api/v1/access/actions", { body: { subject: member ?? null, resource } })),
    staleTime: 0,
    retry: false,
  });
  if (answer.error) return <Told error={answer.error} />;
  if (!answer.data) return <Skeleton height={240} />;
  const wanted = answer.data.decisions.filter((decision) => !asked.action || decision.action === asked.action);
  return (
    <Paper withBorder style={{ overflowX: "auto" }}>
      <Table verticalSpacing="xs" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Action</Table.Th>
            <Table.Th>{answer.data.subject.name}</Table.Th>
            <Table.Th>Decided by</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {wanted.map((decision) => (
            <Table.Tr key={decision.action}>
              <Table.Td fw={600}>{decision.action_name}</Table.Td>
              <Table.Td>
                <Group gap={6} wrap="nowrap" c={decision.allowed ? undefined : "dimmed"}>
                  {decision.allowed ? <IconCheck size={16} /> : <IconX size={16} />}
                  {decision.allowed ? "may" : "may not"}
                </Group>
              </Table.Td>
              <Table.Td>
                <TextLink
                  to="/access"
                  search={{ ...ofItself(asked), part: "check", action: decision.action }}
                  size="sm"
                >
                  {decision.table}, row “{decision.row}”
                </TextLink>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
