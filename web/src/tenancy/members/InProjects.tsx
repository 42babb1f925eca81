/** The projects somebody is in, with their effective role in each and every place it comes from. */
import { IconBriefcase } from "@tabler/icons-react";
import { api, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { type Column, type PageOf, ResourceList } from "../../components/ResourceList";
import { Origins, RoleBadge } from "../../projects/Origins";
import type { ProjectMember } from "../../projects/words";
import { mayInTenant, useMe } from "../session";
import type { MemberDetail } from "../words";

interface InProject {
  id: string;
  name: string;
  there: ProjectMember;
}

const AT_ONCE = 20;

const COLUMNS: Column<InProject>[] = [
  {
    name: "Project",
    cell: (one) => (
      <TextLink to="/projects/$projectId" params={{ projectId: one.id }} fw={600}>
        {one.name}
      </TextLink>
    ),
  },
  { name: "Role", cell: (one) => <RoleBadge role={one.there.role} /> },
  { name: "Where it comes from", cell: (one) => <Origins origins={one.there.origins} /> },
];

export function InProjects({ member }: { member: MemberDetail }) {
  const asksAboutAnybody = mayInTenant(useMe(), "ask_about_anybody_s_access");
  const read = asksAboutAnybody && member.state === "active" ? theirs : amongMine;
  return (
    <ResourceList
      of={["projects", "of", member.id, member.version]}
      read={({ cursor }) => read(member, cursor)}
      columns={COLUMNS}
      empty={
        <Empty icon={IconBriefcase} title="In no project that you see">
          A role in a project comes from the tenant role, from a grant there, or through a group.
        </Empty>
      }
    />
  );
}

/** For whoever may ask about anybody: the projects this member sees, and then how. */
async function theirs(member: MemberDetail, cursor?: string): Promise<PageOf<InProject>> {
  const body = { subject: member.id, action: "see_project", resource_type: "project", cursor, limit: AT_ONCE };
  const page = await take(api.POST("/api/v1/access/what", { body }));
  const items = page.items.map(async ({ id, name }) => ({
    id,
    name,
    there: await take(
      api.GET("/api/v1/projects/{project_id}/members/{member_id}", {
        params: { path: { project_id: id, member_id: member.id } },
      }),
    ),
  }));
  return { items: await Promise.all(items), next_cursor: page.next_cursor };
}

/** For everybody else, and of who is not active: those of one's own projects in which they are found. */
async function amongMine(member: MemberDetail, cursor?: string): Promise<PageOf<InProject>> {
  const page = await take(api.GET("/api/v1/projects", { params: { query: { cursor, limit: AT_ONCE } } }));
  const found = page.items.map(async ({ id, name }) => {
    const params = { path: { project_id: id }, query: { search: member.email, limit: AT_ONCE } };
    const people = await take(api.GET("/api/v1/projects/{project_id}/members", { params }));
    return people.items.filter((one) => one.id === member.id).map((there) => ({ id, name, there }));
  });
  return { items: (await Promise.all(found)).flat(), next_cursor: page.next_cursor };
}
