/** How a layer's tables are kept in order: small files put together, old versions removed; by itself or now. */
import { Button, Checkbox, Group, NumberInput, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";
import { TriggersOf } from "../../runs/triggers/TriggersOf";
import { LastMaintenance } from "./LastMaintenance";

type Settings = Schemas["MaintenanceOut"];
type Layer = Schemas["LayerOut"];

export function Maintenance({ layer }: { layer: Layer }) {
  const found = useQuery({
    queryKey: ["layers", layer.id, "maintenance"],
    queryFn: () => take(api.GET("/api/v1/layers/{layer_id}/maintenance", { params: { path: { layer_id: layer.id } } })),
  });
  if (found.error) return <Told error={found.error} />;
  if (!found.data) return <Skeleton height={160} />;
  return (
    <Stack>
      <Form key={found.data.version} layer={layer} settings={found.data} />
      <LastMaintenance layer={layer} />
      <Title order={2} size="h4">
        When it runs by itself
      </Title>
      <TriggersOf
        subject={{ type: "layer", id: layer.id, name: `the maintenance of ${layer.name}` }}
        edit="delete_the_resource"
        actions={layer.actions}
      />
    </Stack>
  );
}

function Form({ layer, settings }: { layer: Layer; settings: Settings }) {
  const [active, setActive] = useState(settings.active);
  const [compact, setCompact] = useState(settings.compact);
  const [days, setDays] = useState(settings.keep_days);
  const cache = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      take(
        api.PUT("/api/v1/layers/{layer_id}/maintenance", {
          params: { path: { layer_id: layer.id }, header: { "If-Match": `"${settings.version}"` } },
          body: { active, compact, keep_days: days },
        }),
      ),
    onSuccess: (now) => {
      cache.setQueryData(["layers", layer.id, "maintenance"], now);
      notifications.show({ message: "Saved." });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const mayChange = layer.actions.includes("delete_the_resource");
  return (
    <Paper withBorder p="md">
      <form onSubmit={submit}>
        <Stack>
          <Checkbox
            label="Let triggers start it"
            description={
              settings.owner ? `It acts as ${settings.owner.name}, who saved it last.` : "It acts as who saves it last."
            }
            disabled={!mayChange}
            checked={active}
            onChange={(event) => setActive(event.currentTarget.checked)}
          />
          <Checkbox
            label="Put small files together"
            description="Tables that are written often are read faster then."
            disabled={!mayChange}
            checked={compact}
            onChange={(event) => setCompact(event.currentTarget.checked)}
          />
          <NumberInput
            label="Days that versions are kept"
            name="keep_days"
            description="Older ones are removed, and cannot be restored any more."
            min={7}
            max={365}
            allowDecimal={false}
            required
            disabled={!mayChange}
            value={days}
            onChange={(value) => typeof value === "number" && setDays(value)}
            w={320}
          />
          <Told error={save.error} />
          <Group>
            <Guarded action="delete_the_resource" on={{ type: "layer", id: layer.id }} actions={layer.actions}>
              {(allowed) => (
                <Button type="submit" disabled={!allowed} loading={save.isPending}>
                  Save
                </Button>
              )}
            </Guarded>
            {!mayChange && (
              <Text size="sm" c="dimmed">
                For Managers: versions that are removed cannot be restored.
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
