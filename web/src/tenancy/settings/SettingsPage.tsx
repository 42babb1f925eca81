/** The tenant: its name and switches, its plan, and who hears of runs that belong to no project. */
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../../api/client";
import { Page } from "../../components/Page";
import { type Part, Parts } from "../../components/Parts";
import { Told } from "../../components/Told";
import { Channels } from "../notifications/Channels";
import { General } from "./General";
import { Plan } from "./Plan";
import { tenantChannels } from "./tenantChannels";

const route = getRouteApi("/inside/settings");

export function SettingsPage() {
  const { part } = route.useSearch();
  const navigate = route.useNavigate();
  const found = useQuery({ queryKey: ["tenant"], queryFn: () => take(api.GET("/api/v1/tenant")) });
  if (found.error) return <Told error={found.error} />;
  if (!found.data) return <Skeleton height={220} />;
  const tenant = found.data;
  const parts: Part<"general" | "plan" | "notifications">[] = [
    { name: "general", label: "General", show: () => <General key={tenant.version} tenant={tenant} /> },
    { name: "plan", label: "Plan", show: () => <Plan key={tenant.version} tenant={tenant} /> },
    { name: "notifications", label: "Notifications", show: () => <Channels source={tenantChannels} /> },
  ];
  return (
    <Page title="Settings" about={`What counts for everybody in ${tenant.name}.`}>
      <Parts parts={parts} shown={part} onShow={(name) => navigate({ search: { part: name }, replace: true })} />
    </Page>
  );
}
