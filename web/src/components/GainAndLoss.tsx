/** Who would gain and lose what by a change that is not made yet: the what-if question, asked before saving. */
import { Badge, Group, Loader, Paper, ScrollArea, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { counted } from "./numbers";
import { Told } from "./Told";

export type Change = Schemas["WhatIfQuestion"]["changes"][number];
type Difference = Schemas["DifferenceOut"];

/** With nothing to change there is nothing to show. */
export function GainAndLoss({ changes }: { changes: readonly Change[] }) {
  const answer = useQuery({
    queryKey: ["access", "what-if", changes],
    queryFn: () =>
      take(api.POST("/api/v1/access/what-if", { body: { changes: [...changes], resources: [], limit: 200 } })),
    enabled: changes.length > 0,
    staleTime: 0,
    retry: false,
  });
  if (changes.length === 0) return null;
  return (
    <Paper withBorder p="sm" aria-label="Who gains and loses what" component="section">
      {answer.isFetching && <Loader size="xs" />}
      <Told error={answer.error} />
      {answer.data && !answer.isFetching && <Outlook {...answer.data} />}
    </Paper>
  );
}

function Outlook({ items, count }: Schemas["WhatIfAnswer"]) {
  if (count === 0) return <Text size="sm">Nobody gains or loses anything by this.</Text>;
  const people = Map.groupBy(items, (difference) => difference.member.id);
  return (
    <ScrollArea.Autosize mah={280} type="auto">
      <Stack gap="sm">
        {[...people].map(([id, differences]) => (
          <div key={id}>
            <Text size="sm" fw={600}>
              {differences[0]?.member.name}
            </Text>
            {differences.map((difference) => (
              <OnOne key={`${difference.resource.type} ${difference.resource.id}`} difference={difference} />
            ))}
          </div>
        ))}
        {count > items.length && (
          <Text size="sm" c="dimmed">
            and {counted(count - items.length)} more differences
          </Text>
        )}
      </Stack>
    </ScrollArea.Autosize>
  );
}

function OnOne({ difference: { resource, gained, lost } }: { difference: Difference }) {
  return (
    <Group gap={6} py={2}>
      <Text size="sm" c="dimmed">
        {resource.type.replaceAll("_", " ")} {resource.name}
      </Text>
      {gained.length > 0 && <Counted word="gains" actions={gained} />}
      {lost.length > 0 && <Counted word="loses" actions={lost} />}
    </Group>
  );
}

function Counted({ word, actions }: { word: "gains" | "loses"; actions: readonly string[] }) {
  return (
    <Badge
      variant="light"
      color={word === "gains" ? "petrol" : "red"}
      tt="none"
      h="auto"
      style={{ whiteSpace: "normal" }}
    >
      {word} {actions.map((action) => action.replaceAll("_", " ")).join(", ")}
    </Badge>
  );
}
