/** Deleting a pipeline: what goes with it, what stays, and its name in confirmation. */
import { Button, List, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, take } from "../../api/client";
import { Told } from "../../components/Told";
import { type Pipeline, remove } from "./common";
import type { Kind } from "./kinds";

export function DeletePipeline({ kind, pipeline }: { kind: Kind; pipeline: Pipeline }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const triggers = useQuery({
    queryKey: ["triggers", "around", pipeline.id],
    queryFn: async () => {
      const of = { subject_type: "pipeline", subject_id: pipeline.id, limit: 200 };
      const [own, waiting] = await Promise.all([
        take(api.GET("/api/v1/triggers", { params: { query: of } })),
        take(api.GET("/api/v1/triggers", { params: { query: { after_id: pipeline.id, limit: 200 } } })),
      ]);
      return { own: own.items, waiting: waiting.items, more: waiting.next_cursor !== null };
    },
  });
  const gone = useMutation({
    mutationFn: () => remove(kind, pipeline, typed),
    onSuccess: async () => {
      await navigate({ to: kind.list });
      cache.removeQueries({ queryKey: [kind.resource, pipeline.id] });
      await cache.invalidateQueries({ queryKey: [kind.resource] });
      await cache.invalidateQueries({ queryKey: ["triggers"] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    gone.mutate();
  };
  const { own, waiting, more } = triggers.data ?? { own: [], waiting: [], more: false };
  return (
    <form onSubmit={submit}>
      <Stack>
        <List size="sm" spacing={4}>
          <List.Item>Its settings go, and cannot be brought back.</List.Item>
          {own.map((one) => (
            <List.Item key={one.id}>Its trigger goes: {one.words}.</List.Item>
          ))}
          {waiting.map((one) => (
            <List.Item key={one.id}>“{one.subject.name}” runs after it, and will no longer do so.</List.Item>
          ))}
          {more && <List.Item>More than these run after it, and will no longer do so.</List.Item>}
          <List.Item>The tables that it wrote stay, and so do its runs.</List.Item>
        </List>
        <TextInput
          label={`Type ${pipeline.name} to confirm`}
          autoComplete="off"
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Told error={triggers.error ?? gone.error} />
        <Button type="submit" color="#c92a2a" disabled={typed !== pipeline.name} loading={gone.isPending}>
          Delete {pipeline.name}
        </Button>
        <Text size="xs" c="dimmed">
          To stop it for a while only, let it rest instead.
        </Text>
      </Stack>
    </form>
  );
}
