/** Inviting somebody into a project: at once for who is here, through a tenant admin for who is new. */
import { Button, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, type Schemas, take } from "../api/client";
import { Until } from "../components/share/Until";
import { Told } from "../components/Told";
import { useChanging } from "../tenancy/changing";
import { tellOfLink } from "../tenancy/handOver";
import { Outlook } from "../tenancy/Saving";

import { handsLinksOver, mayInTenant, useMe } from "../tenancy/session";
import { AddressInput, useWhoHas } from "./AddressInput";
import { type Project, type ProjectMember, ROLE_MEANS, type Role, rolesToInvite } from "./words";

interface Props {
  project: Project;
  opened: boolean;
  onClose: () => void;
}

export function InviteToProject({ project, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Invite somebody to ${project.name}`} size="lg">
      <Form project={project} onClose={onClose} />
    </Modal>
  );
}

function Form({ project, onClose }: { project: Project; onClose: () => void }) {
  const roles = rolesToInvite(project.actions);
  const me = useMe();
  const lets = mayInTenant(me, "add_members");
  const show = lets && handsLinksOver(me);
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>(roles[0] ?? "Business User");
  const [until, setUntil] = useState<string | null | undefined>(null);
  const who = useWhoHas(email);
  const invite = useChanging<void, Schemas["InvitedToProjectOut"]>(
    () =>
      take(
        api.POST("/api/v1/projects/{project_id}/members", {
          params: { path: { project_id: project.id } },
          body: { email, role, show, ...(who || !name.trim() ? {} : { name }), expires_at: until },
        }),
      ),
    (invited) => outcome(invited, project),
    {
      onDone: onClose,
      tell: (invited) => tellOfLink({ name: invited.name, said: outcome(invited, project), link: invited.link }),
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <AddressInput value={email} onChange={setEmail} />
        {who ? (
          <Text size="sm">{who.name} is here already, and has the role at once.</Text>
        ) : (
          <TextInput
            label="Name"
            name="name"
            description={
              lets
                ? `Of somebody new: ${show ? "you get a link to join, to hand it over." : "they get a link to join."}`
                : "Of somebody new: they wait until a tenant owner or admin lets them in."
            }
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <Select
          label="Role"
          name="role"
          description={ROLE_MEANS[role]}
          data={roles}
          value={role}
          onChange={(value) => setRole((value ?? role) as Role)}
          allowDeselect={false}
        />
        <Until onChange={setUntil} />
        {who && (
          <Outlook
            changes={[{ change: "grant_project_role", project: project.id, member: who.id, role }]}
            later={who.state !== "active"}
          />
        )}
        <Told error={invite.error} />
        <Button type="submit" loading={invite.isPending}>
          Invite
        </Button>
      </Stack>
    </form>
  );
}

function outcome(invited: ProjectMember, project: Project): string {
  if (invited.note) return invited.note;
  if (invited.state === "waiting") return `${invited.name} waits until a tenant owner or admin lets them in.`;
  if (invited.state === "invited") return `${invited.name} is invited to ${project.name}.`;
  return `${invited.name} is ${invited.role} in ${project.name} now.`;
}
