/** The first owner's first minutes: what a new platform still lacks, each with the page where it is done. */
import { CloseButton, Group, Paper, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconCheck, IconCircle } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, take } from "../api/client";
import { TextLink } from "../components/links";
import { mayInTenant, useMe } from "../tenancy/session";
import { viewing } from "../tenancy/viewing";

/** Only for those who set a platform up; what they asked is theirs alone, and not for who looks through their eyes. */
export function FirstSteps() {
  return mayInTenant(useMe(), "change_settings") && !viewing() ? <Steps /> : null;
}

function Steps() {
  const me = useMe();
  const [hidden, setHidden] = useLocalStorage({ key: `first-steps-hidden-${me.id}`, defaultValue: false });
  const one = { params: { query: { limit: 1 } } };
  const [people, sources, tables, questions, projects, triggers] = useQueries({
    queries: [
      { queryKey: ["members", "counts"], queryFn: () => take(api.GET("/api/v1/members/counts")) },
      { queryKey: ["sources", "any"], queryFn: () => take(api.GET("/api/v1/sources", one)) },
      { queryKey: ["tables", "any"], queryFn: () => take(api.GET("/api/v1/tables", one)) },
      { queryKey: ["queries", "any"], queryFn: () => take(api.GET("/api/v1/queries", one)) },
      { queryKey: ["projects", "any"], queryFn: () => take(api.GET("/api/v1/projects", one)) },
      { queryKey: ["triggers", "any"], queryFn: () => take(api.GET("/api/v1/triggers", one)) },
    ],
  });
  const asked = [people, sources, tables, questions, projects, triggers];
  if (hidden || asked.some((answer) => answer.data === undefined)) return null;
  const there = (list: { data?: { items: unknown[] } }) => (list.data?.items.length ?? 0) > 0;
  const others = (people.data?.active ?? 0) + (people.data?.invited ?? 0) + (people.data?.waiting ?? 0) > 1;
  const steps: { done: boolean; what: ReactNode; why: string }[] = [
    {
      done: me.has_password,
      what: (
        <TextLink to="/account" search={{ part: "password" }}>
          Set a password
        </TextLink>
      ),
      why: "A sign-in link works once; a password always.",
    },
    {
      done: there(sources) || there(tables),
      what: <TextLink to="/sources/new">Connect a source</TextLink>,
      why: "Files, a database, an address or a folder, landed as tables.",
    },
    { done: there(questions), what: <TextLink to="/sql">Ask a question in SQL</TextLink>, why: "Once rows are there." },
    {
      done: others,
      what: <TextLink to="/members">Invite somebody</TextLink>,
      why: "Each sees exactly what they may, and can ask why.",
    },
    {
      done: there(projects),
      what: <TextLink to="/projects">Make a project</TextLink>,
      why: "A place for people who work on one thing, with their roles.",
    },
    {
      done: there(triggers),
      what: <TextLink to="/triggers">Let it run by itself</TextLink>,
      why: "On a schedule, or after another pipeline.",
    },
  ];
  const left = steps.filter((step) => !step.done).length;
  if (left === 0) return null;
  return (
    <Paper withBorder p="lg" component="section" aria-label="First steps">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          First steps
        </Title>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {steps.length - left} of {steps.length} done
          </Text>
          <CloseButton aria-label="Hide the first steps" onClick={() => setHidden(true)} />
        </Group>
      </Group>
      <Stack gap="xs">
        {steps.map((step) => (
          <Group key={step.why} gap="sm" wrap="nowrap">
            <ThemeIcon
              variant={step.done ? "filled" : "light"}
              size={22}
              radius="xl"
              aria-label={step.done ? "done" : "to do"}
              role="img"
            >
              {step.done ? <IconCheck size={14} /> : <IconCircle size={10} />}
            </ThemeIcon>
            <Text component="div">
              {step.what}{" "}
              <Text span size="sm" c="dimmed">
                {step.why}
              </Text>
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
