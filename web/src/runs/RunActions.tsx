/** What can be done with a run: stop it, run it again, delete it. */
import { Button, Group, Stack } from "@mantine/core";
import { IconPlayerStop, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, type Schemas, take } from "../api/client";
import { confirmFirst } from "../components/confirm";
import { Told } from "../components/Told";
import { useOnce } from "./once";
import { tellOfRun } from "./watching";
import { named } from "./words";

type Run = Schemas["RunDetailOut"];

export function RunActions({ run }: { run: Run }) {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const path = { params: { path: { run_id: run.id } } };
  const cancel = useMutation({
    mutationFn: () => take(api.POST("/api/v1/runs/{run_id}/cancel", path)),
    onSuccess: (now) => tellOfRun(cache, now),
  });
  const again = useMutation({
    mutationFn: () => take(api.POST("/api/v1/runs/{run_id}/again", path)),
    onSuccess: (next) => navigate({ to: "/runs/$runId", params: { runId: next.id } }),
  });
  const againOnce = useOnce(again);
  const remove = useMutation({
    mutationFn: () => take(api.DELETE("/api/v1/runs/{run_id}", path)),
    onSuccess: async () => {
      await navigate({ to: "/runs" });
      cache.removeQueries({ queryKey: ["runs", run.id] });
      await cache.invalidateQueries({ queryKey: ["runs"] });
    },
  });
  const confirmDelete = () =>
    confirmFirst(
      `Delete ${named(run)}?`,
      "The run, its log and its result go. Tables that it wrote stay, and so does what the audit says of it.",
      "Delete the run",
      () => remove.mutate(),
    );
  return (
    <Stack align="flex-end" gap="xs">
      <Group gap="xs" justify="flex-end">
        {run.actions.includes("delete") && (
          <Button
            variant="default"
            leftSection={<IconTrash size={16} />}
            loading={remove.isPending}
            onClick={confirmDelete}
          >
            Delete
          </Button>
        )}
        {run.actions.includes("cancel") && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} />}
            loading={cancel.isPending || run.cancel_asked_at !== null}
            onClick={() => cancel.mutate()}
          >
            Cancel
          </Button>
        )}
        {run.actions.includes("run_again") && (
          <Button leftSection={<IconRefresh size={16} />} loading={again.isPending} onClick={() => againOnce()}>
            Run again
          </Button>
        )}
      </Group>
      <Told error={cancel.error ?? again.error ?? remove.error} />
    </Stack>
  );
}
