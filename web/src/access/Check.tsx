/** May they, and why: the verdict, the facts that led to it, what is missing, and the deciding cell in its table. */
import { Button, Flex, Group, Paper, Skeleton, Stack, Table, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck, IconScale, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { api, type Decision, type Schemas, take } from "../api/client";
import { Empty } from "../components/Empty";
import { ButtonLink } from "../components/links";
import { MissingWays } from "../components/MissingWays";
import { Told } from "../components/Told";
import { AskForAccess } from "../requests/AskForAccess";
import { useMe } from "../tenancy/session";
import { viewing } from "../tenancy/viewing";
import { Asking, resourceOf } from "./Asking";
import { tablesQuery, typeInWords } from "./known";
import type { Asked } from "./routes";
import { AccessTableView } from "./tables/AccessTableView";
import { decidedBy, litBy } from "./tables/reading";

interface Props {
  asked: Asked;
  ask: (change: Partial<Asked>) => void;
}

export function Check({ asked, ask }: Props) {
  const resource = resourceOf(asked);
  const { action = "", member } = asked;
  const answer = useQuery({
    queryKey: ["access", "check", action, resource, member],
    queryFn: () =>
      take(
        api.POST("/api/v1/access/check", {
          body: { subject: member ?? null, action, resource: { type: "", ...resource } },
        }),
      ),
    enabled: resource !== undefined && action !== "",
    staleTime: 0,
    retry: false,
  });
  const complete = resource !== undefined && action !== "";
  return (
    <Stack gap="lg">
      <Asking asked={asked} ask={ask} />
      {!complete && (
        <Group justify="center" py="lg">
          <Empty icon={IconScale} title="Ask a question">
            Choose a kind of thing, which one, and what somebody would like to do with it. The answer names the row of
            the tables that decides.
          </Empty>
        </Group>
      )}
      <Told error={answer.error} />
      {complete && answer.isPending && <Skeleton height={320} />}
      {complete && answer.data && <Answered answer={answer.data} asked={asked} />}
    </Stack>
  );
}

function Answered({ answer, asked }: { answer: Schemas["CheckAnswer"]; asked: Asked }) {
  const me = useMe();
  const [asking, setAsking] = useState(false);
  const { decision, subject, resource, could_give: givers, requestable } = answer;
  const who = subject.id === me.id ? "You" : subject.name;
  const what = resource.name && resource.name !== resource.type ? `${typeInWords(resource.type)} ${resource.name}` : "";
  const { part: _, ...question } = asked;
  return (
    <Flex gap="xl" align="flex-start" direction={{ base: "column", lg: "row" }}>
      <Stack gap="lg" w={{ base: "100%", lg: 340 }} style={{ flexShrink: 0 }}>
        <Verdict allowed={decision.allowed} said={`${who} ${decision.allowed ? "may" : "may not"}`}>
          {decision.action_name}
          {what && `, ${what}`}
        </Verdict>
        <MissingWays ways={decision.missing} />
        {!decision.allowed && decision.missing.length === 0 && (
          <Text size="sm">No single grant or role would change that.</Text>
        )}
        {givers.length > 0 && (
          <Text size="sm">
            {givers.map((giver) => giver.name).join(", ")} can give {decision.missing.length > 1 ? "one of them" : "it"}
            .
          </Text>
        )}
        {requestable && !viewing() && (
          <Button onClick={() => setAsking(true)} w="fit-content">
            Ask for {requestable.level ?? requestable.role}
          </Button>
        )}
        <Facts facts={decision.facts} />
        <Group gap="sm">
          <ButtonLink to="/access" search={{ ...question, part: "who" }} size="xs" variant="default">
            Who can
          </ButtonLink>
          <ButtonLink
            to="/access"
            search={{ ...question, part: "what", action: undefined }}
            size="xs"
            variant="default"
          >
            What else {subject.id === me.id ? "you" : "they"} can
          </ButtonLink>
        </Group>
      </Stack>
      <Deciding decision={decision} />
      {requestable && <AskForAccess opened={asking} onClose={() => setAsking(false)} wanted={requestable} />}
    </Flex>
  );
}

function Verdict({ allowed, said, children }: { allowed: boolean; said: string; children: ReactNode }) {
  return (
    <Group wrap="nowrap" align="flex-start" role="status">
      <ThemeIcon size={40} radius="xl" color={allowed ? "petrol" : "#c92a2a"}>
        {allowed ? <IconCheck size={22} /> : <IconX size={22} />}
      </ThemeIcon>
      <div>
        <Text fw={700} size="lg" lh={1.3}>
          {said}
        </Text>
        <Text>{children}</Text>
      </div>
    </Group>
  );
}

/** What was known about the member and the thing: all that the table depends on. */
function Facts({ facts }: { facts: Record<string, string> }) {
  return (
    <Paper withBorder component="section" aria-label="The facts">
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {Object.entries(facts).map(([fact, value]) => (
            <Table.Tr key={fact}>
              <Table.Td c="dimmed">{fact}</Table.Td>
              <Table.Td fw={600}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** The table that decided, with its cell lit and in view. */
function Deciding({ decision }: { decision: Decision }) {
  const { data: tables = [] } = useQuery(tablesQuery);
  const table = decidedBy(tables, decision);
  const lit = useMemo(() => table && litBy(table, decision), [table, decision]);
  if (!table) return <Skeleton height={240} />;
  return (
    <Stack gap="xs" flex={1} miw={0} w="100%">
      <div>
        <Title order={2} size="h4">
          {table.name}
        </Title>
        <Text size="sm" c="dimmed">
          {inPlace(decision, lit !== undefined)}
        </Text>
      </div>
      <AccessTableView table={table} lit={lit} allowed={decision.allowed} action={decision.action_name} height="60vh" />
    </Stack>
  );
}

/** “Document “lakehouse”: the row “Change descriptions” and the column “Viewer” decide.” */
function inPlace({ document, row, column }: Decision, lit: boolean): string {
  if (!lit)
    return `Document “${document}”: ${row === "none of the rows" ? "no row fits, so nothing is allowed" : row}.`;
  if (column === "none of the columns") return `Document “${document}”, row “${row}”: no column fits.`;
  return `Document “${document}”: row “${row}”, column “${column}” ${column.includes(", ") ? "decide" : "decides"}.`;
}
