/** The channels of the tenant or of a project: what is told, to whom, how late, and to which web address. */
import { Button, Group, NumberInput, SimpleGrid, Skeleton, Stack, Switch, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { howMany } from "../../components/numbers";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";
import { Panel } from "../Panel";
import { useMe } from "../session";
import { Receivers } from "./Receivers";
import { type Channel, KINDS, type Source } from "./source";

export function Channels({ source }: { source: Source }) {
  const found = useQuery({ queryKey: [...source.of, "channels"], queryFn: source.list });
  if (found.error) return <Told error={found.error} />;
  if (!found.data) return <Skeleton height={160} />;
  return (
    <Stack>
      {found.data.items.map((channel) => (
        <OneChannel key={channel.kind} channel={channel} source={source} />
      ))}
    </Stack>
  );
}

function OneChannel({ channel, source }: { channel: Channel; source: Source }) {
  const { title, about } = KINDS[channel.kind];
  return (
    <Panel title={title} about={about} actions={<Mine channel={channel} source={source} />}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <SetUp key={channel.version} channel={channel} source={source} />
        {channel.actions.includes(source.see) && <Receivers channel={channel} source={source} />}
      </SimpleGrid>
    </Panel>
  );
}

/** Receiving it or not is everybody's own choice. */
function Mine({ channel, source }: { channel: Channel; source: Source }) {
  const me = useMe();
  const cache = useQueryClient();
  const choose = useMutation({
    mutationFn: (receives: boolean) => (receives ? source.add : source.remove)(channel.kind, me.id),
    onSuccess: () => cache.invalidateQueries({ queryKey: source.of }),
  });
  return (
    <Stack gap={4} align="flex-end" style={{ flexShrink: 0 }}>
      <Switch
        label={channel.is_on ? "I receive it" : "I receive it, when it is on"}
        labelPosition="left"
        checked={choose.isPending ? choose.variables : channel.receives}
        onChange={(event) => choose.mutate(event.currentTarget.checked)}
      />
      <Told error={choose.error} />
    </Stack>
  );
}

function SetUp({ channel, source }: { channel: Channel; source: Source }) {
  const cache = useQueryClient();
  const [isOn, setOn] = useState(channel.is_on);
  const [delay, setDelay] = useState<number | "">(channel.delay_minutes);
  const [url, setUrl] = useState(channel.webhook_url ?? "");
  const save = useMutation({
    mutationFn: () =>
      source.set(channel, { is_on: isOn, delay_minutes: delay === "" ? 0 : delay, webhook_url: url.trim() || null }),
    onSuccess: async () => {
      notifications.show({ message: "The channel is saved." });
      await cache.invalidateQueries({ queryKey: source.of });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  if (!channel.actions.includes(source.manage)) {
    return (
      <Stack gap={4}>
        <Text fw={600}>{channel.is_on ? "It is on." : "It is off."}</Text>
        <Text size="sm" c="dimmed">
          {channel.delay_minutes
            ? `${howMany(channel.delay_minutes, "minute")} after the run ended.`
            : "As soon as the run ended."}
        </Text>
        <Guarded action={source.manage} on={source.on} actions={channel.actions}>
          {() => (
            <Button size="xs" variant="default" disabled>
              Set it up
            </Button>
          )}
        </Guarded>
      </Stack>
    );
  }
  return (
    <form onSubmit={submit} aria-label={`Set up: ${KINDS[channel.kind].title}`}>
      <Stack>
        <Switch label="On" checked={isOn} onChange={(event) => setOn(event.currentTarget.checked)} />
        <NumberInput
          label="Minutes to wait"
          name="delay_minutes"
          description="Before anybody is told; at most a day."
          min={0}
          max={1440}
          allowDecimal={false}
          value={delay}
          onChange={(value) => setDelay(typeof value === "number" ? value : "")}
        />
        <TextInput
          label="Web address to tell as well"
          name="webhook_url"
          description="A chat's or a program's; who does not manage this never sees it."
          type="url"
          placeholder="https://example.com/hook"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Told error={save.error} />
        <Group>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
