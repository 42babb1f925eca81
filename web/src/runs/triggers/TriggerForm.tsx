/** A trigger: at which times it fires, or after what. */
import { Button, SegmentedControl, Stack, Switch, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Told } from "../../components/Told";
import { useMe } from "../../tenancy/session";
import { useOnce } from "../once";
import { CronField } from "./CronField";
import { fromCron, toCron, USUAL } from "./cron";
import { PipelinesPicker } from "./PipelinesPicker";

type Trigger = Schemas["TriggerOut"];

interface Props {
  /** What it starts. */
  subject: { type: string; id: string };
  /** The one that is changed; none: a new one. */
  trigger?: Trigger;
  onDone: () => void;
}

export function TriggerForm({ subject, trigger, onDone }: Props) {
  const me = useMe();
  const cache = useQueryClient();
  const [kind, setKind] = useState<Trigger["kind"]>(trigger?.kind ?? "cron");
  const [plan, setPlan] = useState(trigger?.cron ? fromCron(trigger.cron) : USUAL);
  const [zone, setZone] = useState(trigger?.time_zone ?? me.time_zone);
  const [after, setAfter] = useState(trigger?.after.map((one) => one.id) ?? []);
  const [needsAll, setNeedsAll] = useState(trigger?.needs_all ?? false);
  const save = useMutation({
    mutationFn: () => {
      const said =
        kind === "cron"
          ? { cron: toCron(plan), time_zone: zone }
          : { after: after.map((id) => ({ type: "pipeline", id })), needs_all: needsAll };
      if (!trigger) {
        const { type, id } = subject;
        return take(api.POST("/api/v1/triggers", { body: { needs_all: false, ...said, subject: { type, id } } }));
      }
      const params = { path: { trigger_id: trigger.id }, header: { "If-Match": `"${trigger.version}"` } };
      return take(api.PATCH("/api/v1/triggers/{trigger_id}", { params, body: said }));
    },
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ["triggers"] });
      onDone();
    },
  });
  const saveOnce = useOnce(save);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saveOnce();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {!trigger && (
          <SegmentedControl
            aria-label="What starts it"
            value={kind}
            onChange={(value) => setKind(value as Trigger["kind"])}
            data={[
              { value: "cron", label: "At times" },
              { value: "after", label: "After others" },
            ]}
          />
        )}
        {kind === "cron" ? (
          <CronField plan={plan} onPlan={setPlan} zone={zone} onZone={setZone} />
        ) : (
          <>
            <PipelinesPicker
              label="After"
              description="It runs when one of these has succeeded."
              value={after}
              onChange={setAfter}
              known={trigger?.after ?? []}
              without={subject.id}
            />
            <Switch
              label="Only after all of them"
              description="Once each has succeeded since it ran last."
              checked={needsAll}
              onChange={(event) => setNeedsAll(event.currentTarget.checked)}
            />
            {(trigger?.hidden ?? 0) > 0 && (
              <Text size="sm" c="dimmed">
                It also waits for {trigger?.hidden} that you may not see; saving takes them away.
              </Text>
            )}
          </>
        )}
        <Told error={save.error} />
        <Button type="submit" loading={save.isPending} disabled={kind === "after" && after.length === 0}>
          {trigger ? "Save" : "Add the trigger"}
        </Button>
      </Stack>
    </form>
  );
}
