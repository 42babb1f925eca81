/** Choosing a Business User of a project: the others receive its news by their role. */
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";

interface Props {
  label: string;
  project: string;
  value: string | null;
  onChange: (value: string | null) => void;
}

export function ProjectMemberPicker({ label, project, value, onChange }: Props) {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed, 80);
  const found = useQuery({
    queryKey: ["projects", project, "business-users", search],
    queryFn: () =>
      take(
        api.GET("/api/v1/projects/{project_id}/members", {
          params: {
            path: { project_id: project },
            query: { search: search || undefined, role: "Business User", limit: 20 },
          },
        }),
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <Select
      label={label}
      placeholder="Type a name"
      searchable
      clearable
      value={value}
      onChange={onChange}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      data={found.data?.items.map((one) => ({ value: one.id, label: `${one.name} (${one.email})` })) ?? []}
      nothingFoundMessage="No Business User is called so"
    />
  );
}
