/** The plan: what each means, who would gain and lose what on another, and going there. */
import { Badge, Button, Checkbox, Group, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { GainAndLoss } from "../../components/GainAndLoss";
import { counted, howMany } from "../../components/numbers";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";
import { Panel } from "../Panel";
import { meQuery } from "../session";

type Tenant = Schemas["TenantOut"];
type PlanName = Tenant["plan"];

const PLANS: { name: PlanName; means: string }[] = [
  { name: "starter", means: "Every member is Manager of all data. Levels are not granted; groups serve for roles." },
  { name: "growth", means: "Levels on layers, tables and volumes are granted to people and groups." },
  { name: "custom", means: "As growth, with what was agreed besides." },
];

export function Plan({ tenant }: { tenant: Tenant }) {
  const [looked, setLooked] = useState<PlanName>();
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {PLANS.map(({ name, means }) => (
          <Paper key={name} withBorder p="lg" component="section" aria-label={`The plan ${name}`}>
            <Stack h="100%" justify="space-between">
              <div>
                <Group justify="space-between">
                  <Title order={2} size="h4" tt="capitalize">
                    {name}
                  </Title>
                  {name === tenant.plan && <Badge tt="none">your plan</Badge>}
                </Group>
                <Text size="sm" mt="xs">
                  {means}
                </Text>
              </div>
              {name !== tenant.plan && (
                <Guarded action="manage_billing" on={{ type: "tenant", id: "tenant" }} actions={tenant.actions}>
                  {(allowed) => (
                    <Button variant="default" disabled={!allowed} onClick={() => setLooked(name)}>
                      See what would change
                    </Button>
                  )}
                </Guarded>
              )}
            </Stack>
          </Paper>
        ))}
      </SimpleGrid>
      {looked && <GoTo key={looked} plan={looked} tenant={tenant} onLeave={() => setLooked(undefined)} />}
    </Stack>
  );
}

function GoTo({ plan, tenant, onLeave }: { plan: PlanName; tenant: Tenant; onLeave: () => void }) {
  const cache = useQueryClient();
  const [sure, setSure] = useState(false);
  const preview = useQuery({
    queryKey: ["tenant", "plan", plan],
    queryFn: () => take(api.GET("/api/v1/tenant/plan/preview", { params: { query: { plan, limit: 10 } } })),
  });
  const change = useMutation({
    mutationFn: () =>
      take(
        api.PUT("/api/v1/tenant/plan", {
          params: { header: { "If-Match": `"${tenant.version}"` } },
          body: { plan, confirm: sure },
        }),
      ),
    onSuccess: async (now) => {
      notifications.show({ message: `The plan is ${now.plan} now.` });
      cache.setQueryData(["tenant"], now);
      await Promise.all([["tenant"], meQuery.queryKey].map((queryKey) => cache.invalidateQueries({ queryKey })));
    },
  });
  const asks = preview.data?.needs_confirmation ?? true;
  return (
    <Panel title={`From ${tenant.plan} to ${plan}`}>
      <Told error={preview.error} />
      {preview.isPending && <Skeleton height={60} />}
      {preview.data && <Gaining preview={preview.data} />}
      <GainAndLoss changes={[{ change: "plan", plan }]} />
      {asks && preview.data && (
        <Checkbox
          label={`I mean it: ${gaining(preview.data.members)} ${preview.data.gain}`}
          checked={sure}
          onChange={(event) => setSure(event.currentTarget.checked)}
        />
      )}
      <Told error={change.error} />
      <Group gap="xs">
        <Button disabled={asks && !sure} loading={change.isPending} onClick={() => change.mutate()}>
          Change the plan to {plan}
        </Button>
        <Button variant="default" onClick={onLeave}>
          Keep it
        </Button>
      </Group>
    </Panel>
  );
}

/** “1 member gains”, “12 members gain”. */
function gaining(members: number): string {
  return `${howMany(members, "member")} ${members === 1 ? "gains" : "gain"}`;
}

function Gaining({ preview }: { preview: Schemas["PlanPreviewOut"] }) {
  if (preview.members === 0) return <Text size="sm">Nobody gains anything beyond what they were granted.</Text>;
  const named = preview.items.map((person) => person.name).join(", ");
  const more = preview.members - preview.items.length;
  return (
    <Text size="sm">
      {howMany(preview.members, "member")} would gain <b>{preview.gain}</b>: {named}
      {more > 0 && ` and ${counted(more)} more`}. What was granted is kept, without effect.
    </Text>
  );
}
