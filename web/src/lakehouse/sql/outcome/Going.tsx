/** A query on its way: what it waits for, how far it is, how long it has taken, and how to stop it. */
import { Button, Group, Loader, Paper, Progress, Stack, Text } from "@mantine/core";
import { IconPlayerStop } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, take } from "../../../api/client";
import { Told } from "../../../components/Told";
import { runQuery, tellOfRun, useRunAsItGoes } from "../../../runs/watching";
import { howFar } from "../../../runs/words";
import { type Asked, askedQuery } from "../asking";
import { lasted } from "../statement";

const TICK = 100;

export function Going({ asked }: { asked: Asked }) {
  const cache = useQueryClient();
  const path = { params: { path: { run_id: asked.id } } };
  const { data: run } = useQuery(runQuery(asked.id));
  useRunAsItGoes(asked.id);
  const isOver = run !== undefined && run.ended_at !== null;
  useEffect(() => {
    if (!isOver) return;
    void cache.invalidateQueries({ queryKey: askedQuery(asked.id).queryKey });
    void cache.invalidateQueries({ queryKey: ["queries", "list"] });
  }, [cache, isOver, asked.id]);
  const cancel = useMutation({
    mutationFn: () => take(api.POST("/api/v1/runs/{run_id}/cancel", path)),
    onSuccess: (now) => tellOfRun(cache, now),
  });
  const progress = run?.progress ?? {};
  const { stages_done: done, stages_total: total } = progress;
  const isStopping = cancel.isPending || Boolean(run?.cancel_asked_at);
  return (
    <Paper withBorder p="md" component="section" aria-label="Progress">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Loader size="xs" />
            <Text size="sm" role="status">
              {isStopping ? "It is being stopped" : said(run?.state ?? asked.state, run?.progress.note ?? asked.note)}
            </Text>
            <Since at={asked.created_at} />
          </Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlayerStop size={15} />}
            loading={isStopping}
            disabled={!run?.actions.includes("cancel")}
            onClick={() => cancel.mutate()}
          >
            Cancel
          </Button>
        </Group>
        {total ? (
          <Group gap="sm" wrap="nowrap">
            <Progress value={howFar(progress)} animated flex={1} aria-label={`${done ?? 0} of ${total} stages`} />
            <Text size="xs" c="dimmed">
              {done ?? 0} of {total} stages
            </Text>
          </Group>
        ) : (
          <Progress value={howFar(progress)} aria-label="Waiting" />
        )}
        <Told error={cancel.error} />
      </Stack>
    </Paper>
  );
}

/** In which state it is, in words. */
function said(state: string, note: string | null | undefined): string {
  if (note) return note;
  return state === "queued" ? "It waits for its turn" : "It is running";
}

function Since({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  const passed = now - Date.parse(at);
  return (
    <Text size="sm" c="dimmed" style={{ fontVariantNumeric: "tabular-nums" }} aria-hidden>
      {passed < 1000 ? "" : lasted(passed)}
    </Text>
  );
}
