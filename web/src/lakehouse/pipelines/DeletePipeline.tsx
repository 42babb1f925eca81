/** Deleting a pipeline: what goes with it, what stays, and its name in confirmation. */
import { List, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, take } from "../../api/client";
import { TypeTheName } from "../../components/TypeTheName";
import { type Pipeline, remove } from "./common";
import type { Kind } from "./kinds";

interface Props {
  kind: Kind;
  pipeline: Pipeline;
  opened: boolean;
  onClose: () => void;
}

export function DeletePipeline({ kind, pipeline, opened, onClose }: Props) {
  const cache = useQueryClient();
  const navigate = useNavigate();
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
    enabled: opened,
  });
  const gone = useMutation({
    mutationFn: () => remove(kind, pipeline, pipeline.name),
    onSuccess: async () => {
      await navigate({ to: kind.list });
      cache.removeQueries({ queryKey: [kind.resource, pipeline.id] });
      await cache.invalidateQueries({ queryKey: [kind.resource] });
      await cache.invalidateQueries({ queryKey: ["triggers"] });
    },
  });
  const { own, waiting, more } = triggers.data ?? { own: [], waiting: [], more: false };
  return (
    <TypeTheName
      opened={opened}
      onClose={onClose}
      title={`Delete ${pipeline.name}?`}
      name={pipeline.name}
      done={`Delete ${pipeline.name}`}
      act={() => gone.mutate()}
      pending={gone.isPending}
      error={triggers.error ?? gone.error}
    >
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
      <Text size="xs" c="dimmed">
        To stop it for a while only, let it rest instead.
      </Text>
    </TypeTheName>
  );
}
