/** The projects somebody is in, with their effective role in each and every place it comes from. */
import { IconBriefcase } from "@tabler/icons-react";
import { api, type Schemas, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { useListed } from "../../components/narrowing";
import { type Column, ResourceList } from "../../components/ResourceList";
import { BY_NAME, type ByName } from "../../components/sorting";
import { Origins, RoleBadge } from "../../projects/Origins";
import type { MemberDetail } from "../words";

type InProject = Schemas["MemberInProjectOut"] & { id: string };

const COLUMNS: Column<InProject, ByName>[] = [
  {
    name: "Project",
    sort: "name",
    cell: ({ project }) => (
      <TextLink to="/projects/$projectId" params={{ projectId: project.id }} fw={600}>
        {project.name}
      </TextLink>
    ),
  },
  { name: "Role", cell: ({ there }) => <RoleBadge role={there.role} /> },
  { name: "Where it comes from", cell: ({ there }) => <Origins origins={there.origins} /> },
];

export function InProjects({ member }: { member: MemberDetail }) {
  return (
    <ResourceList
      of={["projects", "of", member.id]}
      read={async (query) => {
        const params = { path: { member_id: member.id }, query };
        const page = await take(api.GET("/api/v1/members/{member_id}/projects", { params }));
        return { ...page, items: page.items.map((one) => ({ ...one, id: one.project.id })) };
      }}
      columns={COLUMNS}
      {...useListed(BY_NAME, "Find a project")}
      empty={
        <Empty icon={IconBriefcase} title="In no project that you see">
          A role in a project comes from the tenant role, from a grant there, or through a group.
        </Empty>
      }
    />
  );
}
