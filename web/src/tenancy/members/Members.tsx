/** The directory of members: who is here, who is invited, and who waits to be let in. */
import { Button, Chip, Group, Select, Text } from "@mantine/core";
import { IconUserPlus, IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../../api/client";
import { Empty } from "../../components/Empty";
import { TextLink } from "../../components/links";
import { Moment } from "../../components/Moment";
import { useListed } from "../../components/narrowing";
import { counted } from "../../components/numbers";
import { Page } from "../../components/Page";
import { type Column, ResourceList } from "../../components/ResourceList";
import { MemberState } from "../MemberState";
import { mayInTenant, useMe } from "../session";
import {
  MEMBER_ORDERS,
  type Member,
  type MemberOrder,
  STATES,
  type State,
  TENANT_ROLES,
  type TenantRole,
} from "../words";
import { Invite } from "./Invite";
import { Newcomer } from "./Newcomer";

const route = getRouteApi("/inside/members");

type MemberColumn = Column<Member, MemberOrder>;

const COLUMNS: MemberColumn[] = [
  {
    name: "Name",
    sort: "name",
    cell: (member) => (
      <>
        <TextLink to="/members/$memberId" params={{ memberId: member.id }} fw={600}>
          {member.name}
        </TextLink>
        <Text size="sm" c="dimmed">
          {member.email}
        </Text>
      </>
    ),
  },
  {
    name: "Roles",
    cell: (member) => (
      <>
        <Text>{member.tenant_role === "none" ? "–" : member.tenant_role}</Text>
        <Text size="sm" c="dimmed" miw={member.security_roles.length > 0 ? 130 : undefined}>
          {member.security_roles.join(", ")}
        </Text>
      </>
    ),
  },
];

const STATE: Column<Member> = { name: "State", cell: (member) => <MemberState state={member.state} /> };
const JOINED: MemberColumn = {
  name: "Joined",
  sort: "-joined",
  cell: (member) => <Moment at={member.joined_at} />,
};
const INVITED: Column<Member> = { name: "Invited", cell: (member) => <Moment at={member.created_at} /> };
const NEWCOMER: Column<Member> = {
  name: "",
  align: "right",
  cell: (member) => <Newcomer member={member} size="compact-sm" />,
};

/** Where all stand in the same state it is not said of each; of who is not in yet, when they were invited matters. */
function columnsFor(state: State | undefined): MemberColumn[] {
  const pending = state === "invited" || state === "waiting";
  if (!state) return [...COLUMNS, STATE, JOINED, NEWCOMER];
  return pending ? [...COLUMNS, INVITED, NEWCOMER] : [...COLUMNS, JOINED];
}

export function Members() {
  const narrowed = route.useSearch();
  const { state, role } = narrowed;
  const navigate = route.useNavigate();
  const narrow = (more: typeof narrowed) => navigate({ search: { ...narrowed, ...more }, replace: true });
  const may = mayInTenant(useMe(), "add_members");
  const [inviting, setInviting] = useState(false);
  return (
    <Page
      title="Members"
      about="Everybody here, with the roles that count in the whole tenant."
      actions={
        may && (
          <Button leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
            Invite somebody
          </Button>
        )
      }
    >
      <States chosen={state} choose={(value) => narrow({ state: value })} />
      <ResourceList
        of={["members", state, role]}
        read={(page) => take(api.GET("/api/v1/members", { params: { query: { ...page, state, tenant_role: role } } }))}
        columns={columnsFor(state)}
        {...useListed(MEMBER_ORDERS, "Find somebody")}
        unfilter={state || role ? () => navigate({ search: {}, replace: true }) : undefined}
        filters={
          <Select
            aria-label="Filter by tenant role"
            placeholder="Any tenant role"
            clearable
            data={TENANT_ROLES}
            value={role ?? null}
            onChange={(value) => narrow({ role: (value as TenantRole | null) ?? undefined })}
          />
        }
        empty={
          <Empty icon={IconUsers} title={state || role ? "Nobody fits" : "Nobody is here yet"}>
            {state === "waiting"
              ? "Whom project members invite waits here, until a tenant owner or admin lets them in."
              : "Invite somebody: they join with a link of their own."}
          </Empty>
        }
      />
      <Invite opened={inviting} onClose={() => setInviting(false)} />
    </Page>
  );
}

/** How many stand where, to look at those alone. */
function States({ chosen, choose }: { chosen?: State; choose: (state: State | undefined) => void }) {
  const counts = useQuery({
    queryKey: ["members", "counts"],
    queryFn: () => take(api.GET("/api/v1/members/counts")),
  });
  if (counts.error) return null; // the list says what is wrong
  const here = counts.data && counts.data.active + counts.data.invited + counts.data.waiting + counts.data.suspended;
  return (
    <Chip.Group value={chosen ?? "all"} onChange={(value) => choose(STATES.find((state) => state === value))}>
      <Group gap="xs" role="radiogroup" aria-label="State">
        <Chip value="all" variant="outline" size="sm">
          all{here !== undefined && ` · ${counted(here)}`}
        </Chip>
        {STATES.map((state) => (
          <Chip key={state} value={state} variant="outline" size="sm">
            {state}
            {counts.data && ` · ${counted(counts.data[state])}`}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}
