/** Who receives a channel: by their role, or because somebody added them. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useListed } from "../../components/narrowing";
import { type Column, ResourceList } from "../../components/ResourceList";
import { BY_NAME, type ByName } from "../../components/sorting";
import { Told } from "../../components/Told";
import { type Channel, KINDS, type Receiver, type Source } from "./source";

interface Props {
  channel: Channel;
  source: Source;
}

export function Receivers({ channel, source }: Props) {
  const cache = useQueryClient();
  const manages = channel.actions.includes(source.manage);
  const [chosen, setChosen] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: ({ id, receives }: { id: string; receives: boolean }) =>
      (receives ? source.add : source.remove)(channel.kind, id),
    onSuccess: async () => {
      setChosen(null);
      await cache.invalidateQueries({ queryKey: source.of });
    },
  });
  const columns: Column<Receiver, ByName>[] = [
    {
      name: "Receivers",
      sort: "name",
      cell: (receiver) => (
        <>
          <Text fw={600}>{receiver.name}</Text>
          <Text size="sm" c="dimmed">
            {receiver.email}
          </Text>
        </>
      ),
    },
    { name: "Because", cell: (receiver) => (receiver.added ? "was added" : `is ${receiver.role}`) },
    {
      name: "",
      align: "right",
      cell: (receiver) =>
        manages &&
        receiver.added && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Take off ${receiver.name}`}
            onClick={() => change.mutate({ id: receiver.id, receives: false })}
          >
            Take off
          </Button>
        ),
    },
  ];
  return (
    <Stack component="section" aria-label={`Receivers: ${KINDS[channel.kind].title}`}>
      <ResourceList
        of={[...source.of, channel.kind, "receivers"]}
        read={(page) => source.receivers(channel.kind, page)}
        columns={columns}
        {...useListed(BY_NAME, "Find a receiver", channel.kind)}
        empty={
          <Text size="sm" c="dimmed">
            Nobody receives it.
          </Text>
        }
      />
      {manages && (
        <Group align="flex-end">
          {source.picker(chosen, setChosen)}
          <Button
            variant="default"
            disabled={!chosen}
            loading={change.isPending}
            onClick={() => chosen && change.mutate({ id: chosen, receives: true })}
          >
            Add
          </Button>
        </Group>
      )}
      <Told error={change.error} />
    </Stack>
  );
}
