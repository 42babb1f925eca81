/** A project's switches, with who gains and loses what by turning them, and what the project warns of. */
import { Alert, List, Skeleton, Stack, Switch, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, take } from "../api/client";
import { Told } from "../components/Told";
import { Guarded } from "../components/Why";
import { useChanging } from "../tenancy/changing";
import { Panel } from "../tenancy/Panel";
import { Outlook, Saving } from "../tenancy/Saving";
import type { Project } from "./words";

type Settings = Schemas["ProjectSettingsOut"];
type Name = "technical_users_control_all_reports" | "ownership_adds_to_availability";

const SWITCHES: { name: Name; label: string; means: string }[] = [
  {
    name: "technical_users_control_all_reports",
    label: "Technical Users control every report they see",
    means: "Otherwise only the reports on their own data marts.",
  },
  {
    name: "ownership_adds_to_availability",
    label: "Ownership adds to availability",
    means: "A Business Owner who is a Technical User also has what availability gives them.",
  },
];

export function ProjectSettings({ project }: { project: Project }) {
  const found = useQuery({
    queryKey: ["projects", project.id, "settings"],
    queryFn: () =>
      take(api.GET("/api/v1/projects/{project_id}/settings", { params: { path: { project_id: project.id } } })),
  });
  if (found.error) return <Told error={found.error} />;
  if (!found.data) return <Skeleton height={160} />;
  return (
    <Stack>
      {found.data.warnings.length > 0 && (
        <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} />} title="Roles that are too low">
          <List size="sm">
            {found.data.warnings.map((warning) => (
              <List.Item key={warning}>{warning}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Switches key={found.data.version} project={project} settings={found.data} />
    </Stack>
  );
}

function Switches({ project, settings }: { project: Project; settings: Settings }) {
  const [turned, setTurned] = useState<Partial<Record<Name, boolean>>>({});
  const changed = SWITCHES.filter(({ name }) => turned[name] !== undefined && turned[name] !== settings[name]);
  const set = (positions: Partial<Record<Name, boolean>>, version: number) =>
    take(
      api.PATCH("/api/v1/projects/{project_id}/settings", {
        params: { path: { project_id: project.id }, header: { "If-Match": `"${version}"` } },
        body: Object.fromEntries(changed.map(({ name }) => [name, positions[name]])),
      }),
    );
  const save = useChanging<void, Settings>(
    () => set(turned, settings.version),
    () => "The switches are set.",
    { undo: (now) => set(settings, now.version) },
  );
  return (
    <Panel title="Switches" about="They count for everybody in the project.">
      <Saving
        done="Save"
        changed={changed.length > 0}
        pending={save.isPending}
        error={save.error}
        save={() => save.mutate()}
        leave={() => setTurned({})}
      >
        {SWITCHES.map(({ name, label, means }) => (
          <Guarded
            key={name}
            action="set_project_switches"
            on={{ type: "project_membership", id: project.id }}
            actions={settings.actions}
          >
            {(allowed) => (
              <Switch
                label={label}
                description={means}
                disabled={!allowed}
                checked={turned[name] ?? settings[name]}
                onChange={(event) => setTurned({ ...turned, [name]: event.currentTarget.checked })}
              />
            )}
          </Guarded>
        ))}
        <Outlook
          changes={changed.map(({ name }) => ({
            change: "project_switch",
            project: project.id,
            switch: name,
            on: turned[name] ?? false,
          }))}
          later={false}
        />
        {changed.length === 0 && settings.actions.includes("set_project_switches") && (
          <Text size="sm" c="dimmed">
            Turn one to see who gains and loses what; nothing changes before you say so.
          </Text>
        )}
      </Saving>
    </Panel>
  );
}
