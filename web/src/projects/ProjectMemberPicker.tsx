/** Choosing a Business User of a project: the others receive its news by their role. */
import { api, take } from "../api/client";
import { FoundSelect } from "../components/FoundSelect";

interface Props {
  label: string;
  project: string;
  value: string | null;
  onChange: (value: string | null) => void;
}

export function ProjectMemberPicker({ label, project, value, onChange }: Props) {
  const path = { project_id: project };
  return (
    <FoundSelect
      label={label}
      of={["projects", project, "business-users"]}
      find={async (search) => {
        const query = { search: search || undefined, role: "Business User", limit: 20 } as const;
        const page = await take(api.GET("/api/v1/projects/{project_id}/members", { params: { path, query } }));
        return page.items.map(asChoice);
      }}
      called={async (member_id) => {
        const params = { path: { ...path, member_id } };
        return asChoice(await take(api.GET("/api/v1/projects/{project_id}/members/{member_id}", { params }))).label;
      }}
      value={value}
      onChange={onChange}
      nothingFoundMessage="No Business User is called so"
    />
  );
}

function asChoice({ id, name, email }: { id: string; name: string; email: string }) {
  return { value: id, label: `${name} (${email})` };
}
