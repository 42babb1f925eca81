/** One member: who they are, what they may do and from where, and what can be done about it. */
import { Group } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../../api/client";
import { Fact } from "../../components/Fact";
import { ButtonLink, TextLink } from "../../components/links";
import { Moment } from "../../components/Moment";
import { Page } from "../../components/Page";
import { type Part, Parts } from "../../components/Parts";
import { Facts, ResourcePage } from "../../components/ResourcePage";
import { MemberState } from "../MemberState";
import { mayInTenant, useMe } from "../session";
import { ViewAsButton } from "../ViewAs";
import type { MemberDetail } from "../words";
import { memberKey } from "./changing";
import { InProjects } from "./InProjects";
import { MemberMenu } from "./MemberMenu";
import { Newcomer } from "./Newcomer";
import { RolesAndGroups } from "./RolesAndGroups";
import { TheirTokens } from "./TheirTokens";

const route = getRouteApi("/inside/members/$memberId");

export function MemberPage() {
  const { memberId } = route.useParams();
  return (
    <ResourcePage
      query={{
        queryKey: memberKey(memberId),
        queryFn: () => take(api.GET("/api/v1/members/{member_id}", { params: { path: { member_id: memberId } } })),
      }}
    >
      {(member) => <Shown member={member} />}
    </ResourcePage>
  );
}

function Shown({ member }: { member: MemberDetail }) {
  const { part } = route.useSearch();
  const navigate = route.useNavigate();
  const me = useMe();
  const gone = member.state === "removed";
  const roles: Part<"roles"> = {
    name: "roles",
    label: "Roles and groups",
    show: () => <RolesAndGroups key={member.version} member={member} />,
  };
  // Of who waits to be let in, what matters is what they were invited to.
  const waits = member.state === "waiting";
  const parts: (Part<"roles" | "projects" | "tokens"> | false)[] = [
    !waits && roles,
    !gone && { name: "projects", label: "Projects", show: () => <InProjects member={member} /> },
    waits && roles,
    !gone &&
      !waits &&
      mayInTenant(me, "see_members") &&
      member.id !== me.id && { name: "tokens", label: "API tokens", show: () => <TheirTokens member={member} /> },
  ];
  return (
    <Page
      title={member.name}
      about={member.id === me.id ? `${member.email} · this is you` : member.email}
      actions={
        <Group gap="xs">
          <Newcomer member={member} />
          {member.state === "active" && member.actions.includes("ask_about_their_access") && (
            <ButtonLink to="/access" search={{ part: "what", member: member.id }} variant="default">
              What {member.id === me.id ? "you" : "they"} may do
            </ButtonLink>
          )}
          {member.state === "active" && <ViewAsButton member={member} />}
          <MemberMenu member={member} />
        </Group>
      }
    >
      <Facts>
        <Fact name="State">
          <MemberState state={member.state} />
        </Fact>
        <Fact name="Tenant role">{member.tenant_role}</Fact>
        <Fact name="Time zone">{member.time_zone}</Fact>
        {member.invited_by && (
          <Fact name="Invited by">
            <TextLink to="/members/$memberId" params={{ memberId: member.invited_by.id }} inherit>
              {member.invited_by.name}
            </TextLink>
          </Fact>
        )}
        <Fact name={member.joined_at ? "Joined" : "Invited"}>
          <Moment at={member.joined_at ?? member.created_at} />
        </Fact>
      </Facts>
      <Parts parts={parts} shown={part} onShow={(name) => navigate({ search: { part: name } })} />
    </Page>
  );
}
