/** The tenant: its name and switches, its plan, and who hears of runs that belong to no project. */
import { getRouteApi } from "@tanstack/react-router";
import { api, type Schemas, take } from "../../api/client";
import { Page } from "../../components/Page";
import { type Part, Parts } from "../../components/Parts";
import { ResourcePage } from "../../components/ResourcePage";
import { Channels } from "../notifications/Channels";
import { General } from "./General";
import { Plan } from "./Plan";
import { tenantChannels } from "./tenantChannels";

const route = getRouteApi("/inside/settings");

export function SettingsPage() {
  return (
    <ResourcePage query={{ queryKey: ["tenant"], queryFn: () => take(api.GET("/api/v1/tenant")) }}>
      {(tenant) => <Shown tenant={tenant} />}
    </ResourcePage>
  );
}

function Shown({ tenant }: { tenant: Schemas["TenantOut"] }) {
  const { part } = route.useSearch();
  const navigate = route.useNavigate();
  const parts: Part<"general" | "plan" | "notifications">[] = [
    { name: "general", label: "General", show: () => <General key={tenant.version} tenant={tenant} /> },
    { name: "plan", label: "Plan", show: () => <Plan key={tenant.version} tenant={tenant} /> },
    {
      name: "notifications",
      label: "Notifications",
      show: () => <Channels source={tenantChannels} />,
    },
  ];
  return (
    <Page title="Settings" about={`What counts for everybody in ${tenant.name}.`}>
      <Parts parts={parts} shown={part} onShow={(name) => navigate({ search: { part: name } })} />
    </Page>
  );
}
