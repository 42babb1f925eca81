/** When a layer's tables were maintained last, and doing it now. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { TextLink } from "../../components/links";
import { Moment } from "../../components/Moment";
import { Told } from "../../components/Told";
import { useOnce } from "../../runs/once";
import { RunStateBadge } from "../../runs/State";
import { Following } from "../Following";

export function LastMaintenance({ layer }: { layer: Schemas["LayerOut"] }) {
  const cache = useQueryClient();
  const [ended, setEnded] = useState("");
  const last = useQuery({
    queryKey: ["runs", "list", "layer", layer.id],
    queryFn: () =>
      take(
        api.GET("/api/v1/runs", {
          params: { query: { subject_type: "layer", subject_id: layer.id, kind: "maintenance", limit: 1 } },
        }),
      ),
  });
  const start = useMutation({
    mutationFn: () =>
      take(api.POST("/api/v1/layers/{layer_id}/maintenance/runs", { params: { path: { layer_id: layer.id } } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["runs", "list"] }),
  });
  const startOnce = useOnce(start);
  const going = start.data !== undefined && ended !== start.data.run_id;
  const run = last.data?.items[0];
  return (
    <Stack>
      <Group>
        {layer.actions.includes("delete_the_resource") && (
          <Button variant="default" loading={start.isPending || going} onClick={() => startOnce()}>
            Run it now
          </Button>
        )}
        {run && !start.data && (
          <>
            <RunStateBadge state={run.state} />
            <Text size="sm">
              Last run <Moment at={run.ended_at ?? run.created_at} />
              {run.started_by ? ` by ${run.started_by.name}` : ""}.
            </Text>
            <TextLink to="/runs/$runId" params={{ runId: run.id }} size="sm">
              Look at it
            </TextLink>
          </>
        )}
        {last.isSuccess && !run && (
          <Text size="sm" c="dimmed">
            It has not run yet.
          </Text>
        )}
      </Group>
      <Told error={last.error ?? start.error} />
      {start.data && (
        <Following
          key={start.data.run_id}
          runId={start.data.run_id}
          doing={`Maintaining the tables of ${layer.name}.`}
          done={`The tables of ${layer.name} are in order.`}
          onEnd={({ id }) => {
            setEnded(id);
            void cache.invalidateQueries({ queryKey: ["tables"] });
          }}
        />
      )}
    </Stack>
  );
}
