/** Choosing a person or a group: found on the server while one types. */
import { Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { mayInTenant, useMe } from "../tenancy/session";

interface Props {
  label: string;
  value: string | null;
  onChange: (value: string | null) => void;
  required?: boolean;
  disabled?: boolean;
}

/** The id of a member, from the directory; who may not see that names somebody by e-mail address. */
export function MemberPicker({ label, value, onChange, ...more }: Props) {
  const directory = mayInTenant(useMe(), "see_members");
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed, 80);
  const found = useQuery({
    queryKey: ["members", "choices", search],
    queryFn: () => take(api.GET("/api/v1/members", { params: { query: { search, limit: 20, state: "active" } } })),
    enabled: directory,
    placeholderData: keepPreviousData,
  });
  if (!directory) {
    return (
      <TextInput
        label={label}
        type="email"
        placeholder="ada@example.com"
        value={value ?? ""}
        onChange={(event) => onChange(event.currentTarget.value || null)}
        {...more}
      />
    );
  }
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
      data={found.data?.items.map((member) => ({ value: member.id, label: `${member.name} (${member.email})` })) ?? []}
      nothingFoundMessage="Nobody is called so"
      {...more}
    />
  );
}

/** The id of a group. */
export function GroupPicker({ label, value, onChange, ...more }: Props) {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed, 80);
  const found = useQuery({
    queryKey: ["groups", "choices", search],
    queryFn: () => take(api.GET("/api/v1/groups", { params: { query: { search, limit: 20 } } })),
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
      data={found.data?.items.map((group) => ({ value: group.id, label: group.name })) ?? []}
      nothingFoundMessage="No group is called so"
      {...more}
    />
  );
}
