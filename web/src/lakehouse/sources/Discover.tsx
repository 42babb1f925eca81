/** Finding what a source holds, and choosing which of it becomes streams. */
import { Alert, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../../api/client";
import { howMany } from "../../components/numbers";
import { Told } from "../../components/Told";
import { useOnce } from "../../runs/once";
import { SOURCE } from "../pipelines/kinds";
import { RunNow } from "../pipelines/Tools";
import type { Source } from "./connection";
import { FoundStream } from "./FoundStream";
import { look } from "./look";
import { firstWish, isComplete, streamOf, type Wish } from "./streams";

export function Discover({ source, first }: { source: Source; first: boolean }) {
  const cache = useQueryClient();
  const [wishes, setWishes] = useState<Record<string, Wish>>({});
  const discover = useMutation({
    mutationFn: () => look("discover", source.id),
    onSuccess: ({ streams = [] }) => {
      const [only, ...others] = streams;
      setWishes(first && only && !only.problem && others.length === 0 ? { [only.name]: firstWish(only) } : {});
      return cache.invalidateQueries({ queryKey: ["sources", source.id, "streams"] });
    },
  });
  const discoverOnce = useOnce(discover);
  const found = discover.data?.streams ?? [];
  const chosen = found.filter((one) => wishes[one.name]);
  const add = useMutation({
    mutationFn: async () => {
      for (const one of chosen) {
        const body = streamOf(one, wishes[one.name] ?? firstWish(one));
        const params = { path: { pipeline_id: source.id } };
        await take(api.POST("/api/v1/sources/{pipeline_id}/streams", { params, body }));
      }
    },
    onSuccess: () => discover.reset(),
    // Those before the one that was refused are there.
    onSettled: () => cache.invalidateQueries({ queryKey: ["sources", source.id] }),
  });
  const addOnce = useOnce(add);
  const wish = (name: string, said: Wish | undefined) => {
    const { [name]: _, ...others } = wishes;
    setWishes(said ? { ...others, [name]: said } : others);
  };
  return (
    <Paper withBorder p="lg" component="section" aria-label="Find streams">
      <Stack>
        <Group justify="space-between">
          <div>
            <Title order={2} size="h4">
              {first ? "What shall it read?" : "Find more to read"}
            </Title>
            <Text size="sm" c="dimmed">
              A look at the source shows what it holds, with columns, types and a few rows. Nothing is kept of them.
            </Text>
          </div>
          <Button
            variant={first ? "filled" : "default"}
            leftSection={<IconSearch size={16} />}
            loading={discover.isPending}
            onClick={() => discoverOnce()}
          >
            Look at the source
          </Button>
        </Group>
        <Told error={discover.error} />
        {add.isSuccess && !discover.data && !source.last_run && (
          <Alert variant="light" role="status" title="Its streams are chosen">
            <Group justify="space-between">
              <Text size="sm">Run it now, and their rows land in tables. A trigger can do so by itself later.</Text>
              <RunNow kind={SOURCE} pipeline={source} label="Fill the tables" />
            </Group>
          </Alert>
        )}
        {discover.data?.problem && (
          <Alert color="red" variant="light" title={discover.data.problem.message} role="alert">
            {discover.data.problem.fix}
          </Alert>
        )}
        {discover.data && !discover.data.problem && <Text size="sm">{discover.data.says}</Text>}
        {found.map((one) => (
          <FoundStream key={one.name} found={one} wish={wishes[one.name]} onWish={(said) => wish(one.name, said)} />
        ))}
        <Told error={add.error} />
        {found.length > 0 && (
          <Group>
            <Button
              disabled={
                chosen.length === 0 || chosen.some((one) => !isComplete(one, wishes[one.name] ?? firstWish(one)))
              }
              loading={add.isPending}
              onClick={() => addOnce()}
            >
              {chosen.length === 0 ? "Choose streams to add" : `Add ${howMany(chosen.length, "stream")}`}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}
