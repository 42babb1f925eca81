/** Somebody's e-mail address: found in the directory while one types, for those who may see it. */
import { Autocomplete, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, take } from "../api/client";
import { inTurn } from "../api/turns";
import { mayInTenant, useMe } from "../tenancy/session";
import type { Member } from "../tenancy/words";

/** Those whose name or address holds what was typed. */
function useFound(typed: string): Member[] {
  const directory = mayInTenant(useMe(), "see_members");
  const search = typed.trim();
  const found = useQuery({
    queryKey: ["members", "addresses", search],
    queryFn: ({ signal }) =>
      inTurn("addresses", signal, () => take(api.GET("/api/v1/members", { params: { query: { search, limit: 20 } } }))),
    enabled: directory && search !== "",
    placeholderData: keepPreviousData,
  });
  return found.data?.items ?? [];
}

/** Whoever has exactly this address, for those who may see the directory. */
export function useWhoHas(email: string): Member | undefined {
  const address = email.trim().toLowerCase();
  return useFound(email).find((member) => member.email === address);
}

export function AddressInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const directory = mayInTenant(useMe(), "see_members");
  const found = useFound(value);
  const names = new Map(found.map((member) => [member.email, member.name]));
  const common = {
    label: "E-mail address",
    required: true,
    name: "email",
    inputMode: "email",
    "data-autofocus": true,
    value,
  } as const;
  if (!directory) return <TextInput {...common} onChange={(event) => onChange(event.currentTarget.value)} />;
  return (
    <Autocomplete
      {...common}
      description="Type a name, or the address of somebody new."
      onChange={onChange}
      data={[...names.keys()]}
      filter={({ options }) => options}
      renderOption={({ option }) => `${names.get(option.value)} (${option.value})`}
    />
  );
}
