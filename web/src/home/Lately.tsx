/** What happened lately: runs one may see, and what others did to one's own access. */
import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, take } from "../api/client";
import { TextLink } from "../components/links";
import { Moment } from "../components/Moment";
import { RunStateBadge } from "../runs/State";
import { named } from "../runs/words";
import { useMe } from "../tenancy/session";
import { Section } from "./Section";
import { givenToGroup, inASentence, toldOnce } from "./sentences";

const SHOWN = 6;

export function Lately() {
  return (
    <>
      <Runs />
      <ByOthers />
    </>
  );
}

function Runs() {
  const runs = useQuery({
    queryKey: ["runs", "home"],
    queryFn: () => take(api.GET("/api/v1/runs", { params: { query: { limit: SHOWN } } })),
    refetchInterval: 15_000,
  });
  return (
    <Section
      title="Latest runs"
      of={runs}
      isEmpty={(found) => found.items.length === 0}
      empty="Nothing that you may see has run yet. Queries, sources and pipelines leave their runs here."
      all={<TextLink to="/runs">All runs</TextLink>}
    >
      {(found) => (
        <Stack gap="xs">
          {found.items.map((run) => (
            <Group key={run.id} justify="space-between" wrap="nowrap">
              <TextLink to="/runs/$runId" params={{ runId: run.id }} truncate>
                {named(run)}
              </TextLink>
              <Group gap="sm" wrap="nowrap" style={{ flexShrink: 0 }}>
                <RunStateBadge state={run.state} problem={run.problem} />
                <Text size="sm" c="dimmed" component="div" style={{ whiteSpace: "nowrap" }}>
                  <Moment at={run.ended_at ?? run.created_at} />
                </Text>
              </Group>
            </Group>
          ))}
        </Stack>
      )}
    </Section>
  );
}

function ByOthers() {
  const me = useMe();
  const entries = useQuery({
    queryKey: ["audit", "about", me.id],
    queryFn: async () => {
      const [found, given] = await Promise.all([
        take(api.GET("/api/v1/audit", { params: { query: { about: me.id, limit: 50 } } })),
        take(api.GET("/api/v1/groups/given", { params: { query: { limit: SHOWN } } })),
      ]);
      const byOthers = found.items.filter((entry) => entry.actor?.id !== me.id && entry.outcome === "done");
      const told = [
        ...toldOnce(byOthers).map((entry) => ({ at: entry.at, said: inASentence(entry) })),
        ...given.items.filter((one) => one.by?.id !== me.id).map((one) => ({ at: one.at, said: givenToGroup(one) })),
      ];
      return told.sort((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, SHOWN);
    },
  });
  return (
    <Section
      title="What changed for you"
      of={entries}
      isEmpty={(found) => found.length === 0}
      empty="When somebody gives you or your groups a role or a level, or takes yours, it stands here."
    >
      {(found) => (
        <Stack gap="xs">
          {found.map(({ at, said }) => (
            <Group key={`${at} ${said}`} justify="space-between" wrap="nowrap" align="flex-start">
              <Text size="sm">{said}</Text>
              <Text size="sm" c="dimmed" component="div" style={{ whiteSpace: "nowrap" }}>
                <Moment at={at} />
              </Text>
            </Group>
          ))}
        </Stack>
      )}
    </Section>
  );
}
