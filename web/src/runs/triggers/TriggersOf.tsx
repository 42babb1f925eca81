/** What starts one pipeline, when it does so next, and adding more. */
import { Button, Center, Group, Modal, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { Moment } from "../../components/Moment";
import { StateBadge } from "../../components/StateBadge";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";
import { NextFirings } from "./Firings";
import { TriggerActions } from "./TriggerActions";
import { TriggerForm } from "./TriggerForm";

interface Props {
  subject: { type: string; id: string; name: string };
  /** The action that it takes to change its triggers, and what the caller may do with it. */
  edit: string;
  actions: readonly string[];
}

export function TriggersOf({ subject, edit, actions }: Props) {
  const [adding, setAdding] = useState(false);
  const triggers = useQuery({
    queryKey: ["triggers", "of", subject.id],
    queryFn: () =>
      take(
        api.GET("/api/v1/triggers", {
          params: { query: { subject_type: subject.type, subject_id: subject.id, limit: 200 } },
        }),
      ),
  });
  if (triggers.error) return <Told error={triggers.error} />;
  if (!triggers.data) return <Skeleton height={120} />;
  return (
    <Stack>
      <Group>
        <Guarded action={edit} on={{ type: subject.type, id: subject.id }} actions={actions}>
          {(allowed) => (
            <Button variant="default" disabled={!allowed} onClick={() => setAdding(true)}>
              Add a trigger
            </Button>
          )}
        </Guarded>
      </Group>
      {triggers.data.items.map((trigger) => (
        <One key={trigger.id} trigger={trigger} />
      ))}
      {triggers.data.items.length === 0 && (
        <Center py="lg">
          <Empty icon={IconClock} title="It runs only when somebody starts it">
            A trigger runs it at times, such as every weekday at six, or after other pipelines have succeeded.
          </Empty>
        </Center>
      )}
      <Modal opened={adding} onClose={() => setAdding(false)} title={`When ${subject.name} runs`}>
        <TriggerForm subject={subject} onDone={() => setAdding(false)} />
      </Modal>
    </Stack>
  );
}

function One({ trigger }: { trigger: Schemas["TriggerOut"] }) {
  return (
    <Paper withBorder p="md" component="article" aria-label={trigger.words}>
      <Group justify="space-between" align="flex-start">
        <div>
          <Group gap="sm">
            <Text fw={600}>{trigger.words}</Text>
            {trigger.paused && <StateBadge state="paused" tone="quiet" />}
          </Group>
          {trigger.note && <Text size="sm">{trigger.note}</Text>}
          <NextFirings at={trigger.next_firings} zone={trigger.time_zone} />
          <Text size="sm" c="dimmed" component="div" mt={4}>
            Fired last: {trigger.last_fired_at ? <Moment at={trigger.last_fired_at} /> : "never"} · saved by{" "}
            {trigger.saved_by} ·{" "}
            <TextLink to="/runs" search={{ trigger: trigger.id }} size="sm" underline="always">
              its runs
            </TextLink>
          </Text>
        </div>
        <TriggerActions trigger={trigger} />
      </Group>
    </Paper>
  );
}
