/** One project: who is in it and how, which groups have a role, its switches and its news. */
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../api/client";
import { Fact } from "../components/Fact";
import { Moment } from "../components/Moment";
import { Page } from "../components/Page";
import { type Part, Parts } from "../components/Parts";
import { Facts, ResourcePage } from "../components/ResourcePage";
import { Channels } from "../tenancy/notifications/Channels";
import { projectKey } from "./changing";
import { EditOrDelete } from "./EditOrDelete";
import { RoleBadge } from "./Origins";
import { ProjectGroups } from "./ProjectGroups";
import { ProjectMembers } from "./ProjectMembers";
import { ProjectSettings } from "./ProjectSettings";
import { projectChannels } from "./projectChannels";
import type { Project } from "./words";

const route = getRouteApi("/inside/projects/$projectId");

export function ProjectPage() {
  const { projectId } = route.useParams();
  return (
    <ResourcePage
      query={{
        queryKey: projectKey(projectId),
        queryFn: () => take(api.GET("/api/v1/projects/{project_id}", { params: { path: { project_id: projectId } } })),
      }}
    >
      {(project) => <Shown project={project} />}
    </ResourcePage>
  );
}

function Shown({ project }: { project: Project }) {
  const { part } = route.useSearch();
  const navigate = route.useNavigate();
  const { actions } = project;
  const parts: (Part<"members" | "groups" | "settings" | "notifications"> | false)[] = [
    actions.includes("see_members") && {
      name: "members",
      label: "Members",
      show: () => <ProjectMembers project={project} />,
    },
    actions.includes("see_members") && {
      name: "groups",
      label: "Groups",
      show: () => <ProjectGroups project={project} />,
    },
    actions.includes("see_project_settings") && {
      name: "settings",
      label: "Settings",
      show: () => <ProjectSettings project={project} />,
    },
    project.role !== null && {
      name: "notifications",
      label: "Notifications",
      show: () => <Channels source={projectChannels(project)} />,
    },
  ];
  return (
    <Page title={project.name} about={project.description} actions={<EditOrDelete project={project} />}>
      <Facts>
        <Fact name="Your role">
          <RoleBadge role={project.role} />
        </Fact>
        <Fact name="Made">
          <Moment at={project.created_at} />
        </Fact>
      </Facts>
      <Parts parts={parts} shown={part} onShow={(name) => navigate({ search: { part: name } })} />
    </Page>
  );
}
