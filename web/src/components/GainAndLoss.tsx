/** Who would gain and lose what by a change that is not made yet: the what-if question, asked before saving. */
import { Group, Loader, Paper, ScrollArea, Stack, Text } from "@mantine/core";
import { IconMinus, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useActionName } from "../access/known";
import { api, type Schemas, take } from "../api/client";
import { counted, howMany } from "./numbers";
import { StoppingPipelines } from "./StoppingPipelines";
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
    <Paper withBorder p="sm" aria-label="Who gains and loses what" component="section" aria-busy={answer.isFetching}>
      {answer.isFetching && <Loader size="xs" />}
      <Told error={answer.error} />
      {answer.data && !answer.isFetching && <Outlook {...answer.data} />}
    </Paper>
  );
}

function Outlook({ items, count, hidden_members, pipelines, more_pipelines }: Schemas["WhatIfAnswer"]) {
  const people = [...Map.groupBy(items, (difference) => difference.member.id)];
  return (
    <Stack gap="xs">
      {count > 0 && (
        <Text size="sm" fw={600}>
          {inShort(items)}
        </Text>
      )}
      {count === 0 && !hidden_members && <Text size="sm">Nobody gains or loses anything by this.</Text>}
      {hidden_members && (
        <Text size="sm">
          You do not see who is in the group: what its members gain and lose, and which of their pipelines stop, is not
          shown.
        </Text>
      )}
      <StoppingPipelines pipelines={pipelines} more={more_pipelines} />
      {count > 0 && (
        <ScrollArea.Autosize mah={280} type="auto" viewportProps={{ tabIndex: 0 }}>
          <Stack gap="sm">
            {people.map(([id, differences]) => (
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
                and {howMany(count - items.length, "more difference")}
              </Text>
            )}
          </Stack>
        </ScrollArea.Autosize>
      )}
    </Stack>
  );
}

/** “2 people gain, 1 loses”. */
export function inShort(items: readonly Difference[]): string {
  const gaining = new Set(items.filter((one) => one.gained.length > 0).map((one) => one.member.id)).size;
  const losing = new Set(items.filter((one) => one.lost.length > 0).map((one) => one.member.id)).size;
  const gain = gaining > 0 && `${people(gaining)} ${gaining === 1 ? "gains" : "gain"}`;
  const lose = losing > 0 && `${gain ? counted(losing) : people(losing)} ${losing === 1 ? "loses" : "lose"}`;
  return [gain, lose].filter(Boolean).join(", ");
}

function people(count: number): string {
  return howMany(count, "person", "people");
}

const MORE: Record<string, string> = {
  "table change_descriptions": "and go back to earlier versions",
  "volume change_descriptions": "and put, replace and delete files",
};

/** The name of an action, and what its row decides besides. */
export function withMore(type: string, action: string, name: string): string {
  const more = MORE[`${type} ${action}`];
  return more ? `${name} (${more})` : name;
}

function OnOne({ difference: { resource, gained, lost } }: { difference: Difference }) {
  const named = useActionName();
  const said = (actions: readonly string[]) =>
    actions.map((action) => withMore(resource.type, action, named(resource.type, action))).join(", ");
  return (
    <div>
      <Text size="sm" c="dimmed" pt={2}>
        {resource.type.replaceAll("_", " ")} {resource.name}
      </Text>
      {gained.length > 0 && <Said word="gains" actions={said(gained)} />}
      {lost.length > 0 && <Said word="loses" actions={said(lost)} />}
    </div>
  );
}

function Said({ word, actions }: { word: "gains" | "loses"; actions: string }) {
  const Icon = word === "gains" ? IconPlus : IconMinus;
  const colour = `light-dark(${word === "gains" ? "#075e57, #78c5bc" : "#a61e1e, #ff9b9b"})`;
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" c={colour}>
      <Icon size={14} style={{ flexShrink: 0, marginTop: 4 }} aria-hidden />
      <Text size="sm">
        {word} {actions}
      </Text>
    </Group>
  );
}
