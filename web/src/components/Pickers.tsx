/** Choosing a person or a group: found on the server while one types. */
import { TextInput } from "@mantine/core";
import { api, take } from "../api/client";
import { mayInTenant, useMe } from "../tenancy/session";
import { type Member, STATES, type State } from "../tenancy/words";
import { FoundSelect } from "./FoundSelect";

interface Props {
  label: string;
  /** How the API calls it. */
  name?: string;
  value: string | null;
  onChange: (value: string | null) => void;
  placeholder?: string;
  required?: boolean;
  /** Where a dialog is opened to choose it. */
  "data-autofocus"?: boolean;
  disabled?: boolean;
  w?: number | string;
}

interface MemberProps extends Props {
  /** Where somebody has to stand to be chosen; the others are seen, with what they are. */
  takes?: readonly State[];
}

/** The id of a member, from the directory; who may not see that names somebody by e-mail address. */
export function MemberPicker({ value, onChange, takes = STATES, ...more }: MemberProps) {
  const directory = mayInTenant(useMe(), "see_members");
  if (!directory) {
    return (
      <TextInput
        inputMode="email"
        placeholder="ada@example.com"
        value={value ?? ""}
        onChange={(event) => onChange(event.currentTarget.value || null)}
        {...more}
      />
    );
  }
  return (
    <FoundSelect
      of={["members", takes.join()]}
      find={async (search) => {
        const query = { search: search || undefined, limit: 20 };
        const { items } = await take(api.GET("/api/v1/members", { params: { query } }));
        return items.map((member) => ({
          value: member.id,
          label: nameOf(member),
          disabled: !takes.includes(member.state),
        }));
      }}
      called={async (member_id) =>
        nameOf(await take(api.GET("/api/v1/members/{member_id}", { params: { path: { member_id } } })))
      }
      value={value}
      onChange={onChange}
      nothingFoundMessage="Nobody is called so"
      {...more}
    />
  );
}

/** “Cy Young (cy@example.com), invited” */
function nameOf({ name, email, state }: Pick<Member, "name" | "email" | "state">): string {
  return `${name} (${email})${state === "active" ? "" : `, ${state}`}`;
}

/** The id of a group. */
export function GroupPicker({ value, onChange, ...more }: Props) {
  return (
    <FoundSelect
      of={["groups"]}
      find={async (search) => {
        const { items } = await take(
          api.GET("/api/v1/groups", { params: { query: { search: search || undefined, limit: 20 } } }),
        );
        return items.map((group) => ({ value: group.id, label: group.name }));
      }}
      called={async (group_id) =>
        (await take(api.GET("/api/v1/groups/{group_id}", { params: { path: { group_id } } }))).name
      }
      value={value}
      onChange={onChange}
      nothingFoundMessage="No group is called so"
      {...more}
    />
  );
}
