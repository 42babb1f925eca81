/** The directory of members. */
import { Badge, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { api, type Schemas, take } from "../api/client";
import { Empty } from "../components/Empty";
import { Moment } from "../components/Moment";
import { Page } from "../components/Page";
import { type Column, ResourceList } from "../components/ResourceList";

const route = getRouteApi("/inside/members");

const COLUMNS: Column<Schemas["MemberOut"]>[] = [
  {
    name: "Name",
    cell: (member) => (
      <>
        <Text fw={600}>{member.name}</Text>
        <Text size="sm" c="dimmed">
          {member.email}
        </Text>
      </>
    ),
  },
  { name: "Tenant role", cell: (member) => (member.tenant_role === "none" ? "–" : member.tenant_role) },
  { name: "Security roles", cell: (member) => member.security_roles.join(", ") || "–" },
  {
    name: "State",
    cell: (member) => (
      <Badge variant="light" color={member.state === "active" ? "petrol" : "gray"}>
        {member.state}
      </Badge>
    ),
  },
  { name: "Joined", cell: (member) => <Moment at={member.joined_at} /> },
];

export function Members() {
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title="Members" about="Everybody here, with the roles that count in the whole tenant.">
      <ResourceList
        of={["members"]}
        read={(page) => take(api.GET("/api/v1/members", { params: { query: page } }))}
        columns={COLUMNS}
        search={{
          value: search,
          set: (value) => navigate({ search: { search: value }, replace: true }),
          label: "Find somebody",
        }}
        empty={<Empty icon={IconUsers} title="Nobody is here yet" />}
      />
    </Page>
  );
}
