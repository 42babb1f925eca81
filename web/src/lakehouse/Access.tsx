/** One's own level on a layer, table or volume, and every way it comes to one. */
import { Badge, Group, Paper, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";
import { Moment } from "../components/Moment";
import { Told } from "../components/Told";
import type { Target } from "./targets";

type Origin = Schemas["LevelOriginOut"];

const READ = {
  layer: (target_id: string) => take(api.GET("/api/v1/layers/{target_id}/access", { params: { path: { target_id } } })),
  table: (target_id: string) => take(api.GET("/api/v1/tables/{target_id}/access", { params: { path: { target_id } } })),
  volume: (target_id: string) =>
    take(api.GET("/api/v1/volumes/{target_id}/access", { params: { path: { target_id } } })),
};

export function Access({ on }: { on: Target }) {
  const access = useQuery({
    queryKey: [`${on.type}s`, on.id, "access"],
    queryFn: () => READ[on.type](on.id),
  });
  if (access.error) return <Told error={access.error} />;
  if (!access.data) return <Skeleton height={64} />;
  return (
    <Paper withBorder p="md" component="section" aria-label="Your own level">
      <Stack gap="xs">
        <Text fw={600}>How you reach it</Text>
        {access.data.origins.length === 0 && (
          <Text size="sm" c="dimmed">
            No level was given to you here.
          </Text>
        )}
        {access.data.origins.map((origin) => (
          <Group key={`${origin.level} ${origin.source} ${origin.group}`} gap="sm">
            <Badge variant="light" tt="none">
              {origin.source === "below" ? "in part" : origin.level}
            </Badge>
            <Text size="sm">{whereFrom(origin, on.type)}</Text>
            {origin.expires_at && (
              <Text size="sm" c="dimmed" component="div">
                ends <Moment at={origin.expires_at} />
              </Text>
            )}
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}

/** “given on its layer, to the group Finance”. */
export function whereFrom(origin: Pick<Origin, "source" | "group">, type: Target["type"]): string {
  const to = origin.group ? `to the group ${origin.group}` : "to you";
  switch (origin.source) {
    case "tenant role":
      return "by your role in the tenant";
    case "plan":
      return "by the plan, for everybody";
    case "below":
      return `by a level on something in it: you see the ${type}, and what else lies in it only where you have a level`;
    case type:
      return `given on the ${type} itself, ${to}`;
    default:
      return `given on its ${origin.source}, ${to}`;
  }
}
