/** A member's tenant role, security roles and groups: what each would change is seen before it is saved. */
import { Checkbox, Select, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { api, take } from "../../api/client";
import { Guarded } from "../../components/Why";
import { Panel } from "../Panel";
import { Outlook, Saving } from "../Saving";
import { mayInTenant, useMe } from "../session";
import {
  type MemberDetail,
  ROLE_MEANS,
  rolesToGive,
  SECURITY_ROLES,
  type SecurityRole,
  sameWords,
  type TenantRole,
} from "../words";
import { asSeen, useChangingMember } from "./changing";
import { InGroups } from "./InGroups";

export function RolesAndGroups({ member }: { member: MemberDetail }) {
  const me = useMe();
  const gone = member.state === "removed";
  // Roles are changed once somebody was let in.
  const gives = mayInTenant(me, "grant_tenant_roles") && !gone && member.state !== "waiting";
  return (
    <Stack>
      {gone && <Text>They were removed, with every role and grant. Invite them again if they come back.</Text>}
      {!gone && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {gives ? <TenantRolePanel member={member} /> : <JustSaid member={member} />}
          {gives && <SecurityRolesPanel member={member} />}
        </SimpleGrid>
      )}
      {!gone && <InGroups member={member} />}
    </Stack>
  );
}

/** For those who hand out no roles. */
function JustSaid({ member }: { member: MemberDetail }) {
  return (
    <Panel title="Tenant role" about="Tenant owners and admins hand these out.">
      <Text>
        <b>{member.tenant_role}</b>: {ROLE_MEANS[member.tenant_role]}
      </Text>
      {member.security_roles.length > 0 && <Text size="sm">Security roles: {member.security_roles.join(", ")}</Text>}
    </Panel>
  );
}

function TenantRolePanel({ member }: { member: MemberDetail }) {
  const me = useMe();
  const [role, setRole] = useState<TenantRole>(member.tenant_role);
  const give = (seen: Pick<MemberDetail, "id" | "version">, tenant_role: TenantRole) =>
    take(api.PUT("/api/v1/members/{member_id}/tenant-role", { params: asSeen(seen), body: { tenant_role } }));
  const save = useChangingMember(
    () => give(member, role),
    (now) => `The tenant role of ${now.name} is ${now.tenant_role} now.`,
    { undo: (now) => give(now, member.tenant_role) },
  );
  const changed = role !== member.tenant_role;
  return (
    <Panel title="Tenant role" about="It counts in the whole tenant.">
      <Saving
        done={`Make it ${role}`}
        changed={changed}
        pending={save.isPending}
        error={save.error}
        save={() => save.mutate()}
        leave={() => setRole(member.tenant_role)}
      >
        <Guarded action="change_tenant_role" on={{ type: "member", id: member.id }} actions={member.actions}>
          {(allowed) => (
            <Select
              aria-label="Tenant role"
              data={rolesToGive(mayInTenant(me, "make_and_unmake_owners"), member.tenant_role)}
              value={role}
              onChange={(value) => setRole((value ?? role) as TenantRole)}
              allowDeselect={false}
              disabled={!allowed}
              flex={1}
            />
          )}
        </Guarded>
        <Text size="sm" c="dimmed">
          {ROLE_MEANS[role]}
        </Text>
        {member.id === me.id && (
          <Text size="sm">
            Nobody changes their own: that way there is always an owner. Another one can change yours.
          </Text>
        )}
        <Outlook
          changes={changed ? [{ change: "tenant_role", member: member.id, role }] : []}
          later={member.state !== "active"}
        />
      </Saving>
    </Panel>
  );
}

function SecurityRolesPanel({ member }: { member: MemberDetail }) {
  const [roles, setRoles] = useState<string[]>(member.security_roles);
  const chosen = roles as SecurityRole[];
  const give = (seen: Pick<MemberDetail, "id" | "version">, security_roles: SecurityRole[]) =>
    take(api.PUT("/api/v1/members/{member_id}/security-roles", { params: asSeen(seen), body: { security_roles } }));
  const save = useChangingMember(
    () => give(member, chosen),
    (now) => `The security roles of ${now.name}: ${now.security_roles.join(", ") || "none"}.`,
    { undo: (now) => give(now, member.security_roles) },
  );
  const changed = !sameWords(roles, member.security_roles);
  return (
    <Panel title="Security roles" about="They count in data spaces.">
      <Saving
        done="Save security roles"
        changed={changed}
        pending={save.isPending}
        error={save.error}
        save={() => save.mutate()}
        leave={() => setRoles(member.security_roles)}
      >
        <Guarded action="grant_security_roles" on={{ type: "member", id: member.id }} actions={member.actions}>
          {(allowed) => (
            <Checkbox.Group aria-label="Security roles" value={roles} onChange={setRoles}>
              <Stack gap="xs">
                {SECURITY_ROLES.map(({ value, means }) => (
                  <Checkbox key={value} value={value} label={value} description={means} disabled={!allowed} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
        </Guarded>
        <Outlook
          changes={changed ? [{ change: "security_roles", member: member.id, roles: chosen }] : []}
          later={member.state !== "active"}
        />
      </Saving>
    </Panel>
  );
}
