/** The tenant's name, and how strictly pipelines ask for levels on what they read. */
import { Button, Group, Switch, Text, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Told } from "../../components/Told";
import { Guarded } from "../../components/Why";
import { Panel } from "../Panel";
import { meQuery } from "../session";

type Tenant = Schemas["TenantOut"];

export function General({ tenant }: { tenant: Tenant }) {
  const { settings } = tenant;
  if (!settings) {
    return (
      <Panel title={tenant.name}>
        <Text>The settings are for tenant owners and admins to see.</Text>
      </Panel>
    );
  }
  return <Form tenant={tenant} settings={settings} />;
}

function Form({ tenant, settings }: { tenant: Tenant; settings: NonNullable<Tenant["settings"]> }) {
  const cache = useQueryClient();
  const [name, setName] = useState(settings.name);
  const [onlyViewer, setOnlyViewer] = useState(settings.reading_needs_only_viewer);
  const save = useMutation({
    mutationFn: () =>
      take(
        api.PATCH("/api/v1/tenant/settings", {
          params: { header: { "If-Match": `"${settings.version}"` } },
          body: { name, reading_needs_only_viewer: onlyViewer },
        }),
      ),
    onSuccess: async () => {
      notifications.show({ message: "The settings are saved." });
      await Promise.all([["tenant"], meQuery.queryKey].map((queryKey) => cache.invalidateQueries({ queryKey })));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} aria-label="General settings">
      <Panel title="General">
        <TextInput
          label="Name of the tenant"
          name="name"
          description="It stands at the top of every page and in every e-mail."
          required
          maxLength={200}
          maw={420}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Switch
          label="Pipelines need only Viewer on what they read"
          description="Otherwise a pipeline asks, on what it reads, for the same level as on what it writes."
          checked={onlyViewer}
          onChange={(event) => setOnlyViewer(event.currentTarget.checked)}
        />
        <Told error={save.error} />
        <Group>
          <Guarded action="change_settings" on={{ type: "tenant", id: "tenant" }} actions={tenant.actions}>
            {(allowed) => (
              <Button type="submit" disabled={!allowed} loading={save.isPending}>
                Save
              </Button>
            )}
          </Guarded>
        </Group>
      </Panel>
    </form>
  );
}
