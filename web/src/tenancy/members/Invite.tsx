/** Inviting somebody into the tenant: who, and the roles they start with. */
import { Button, Checkbox, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api, Problem, take } from "../../api/client";
import { Told } from "../../components/Told";
import { tellOfLink } from "../handOver";
import { handsLinksOver, mayInTenant, useMe } from "../session";
import { ROLE_MEANS, rolesToGive, SECURITY_ROLES, type SecurityRole, type TenantRole } from "../words";

export function Invite({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Invite somebody">
      <Form onDone={onClose} />
    </Modal>
  );
}

function Form({ onDone }: { onDone: () => void }) {
  const me = useMe();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<TenantRole>("none");
  const [security, setSecurity] = useState<string[]>([]);
  const show = handsLinksOver(me);
  const invite = useMutation({
    mutationFn: () =>
      take(
        api.POST("/api/v1/members", {
          body: { email, name, tenant_role: role, security_roles: security as SecurityRole[], show },
        }),
      ),
    onSuccess: async (invited) => {
      onDone();
      tellOfLink({ name: invited.name, said: invited.detail, link: invited.link });
      await cache.invalidateQueries({ queryKey: ["members"] });
      await navigate({ to: "/members/$memberId", params: { memberId: invited.id } });
    },
  });
  // Only an address that somebody has already is in conflict with anything.
  const taken = invite.error instanceof Problem && invite.error.status === 409 ? invite.error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="E-mail address"
          name="email"
          description={
            show
              ? "No mail server is set: you get the link to join, to hand it over. It works for a week."
              : "The link to join goes there, and works for a week."
          }
          inputMode="email"
          autoComplete="off"
          required
          data-autofocus
          error={taken?.message}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <TextInput
          label="Name"
          name="name"
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label="Tenant role"
          name="tenant_role"
          description={ROLE_MEANS[role]}
          data={rolesToGive(mayInTenant(me, "make_and_unmake_owners"))}
          value={role}
          onChange={(value) => setRole((value ?? "none") as TenantRole)}
          allowDeselect={false}
        />
        <Checkbox.Group label="Security roles" value={security} onChange={setSecurity}>
          <Stack gap="xs" mt={6}>
            {SECURITY_ROLES.map(({ value, means }) => (
              <Checkbox key={value} value={value} label={value} description={means} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Text size="sm" c="dimmed">
          Groups and projects can be given now or later, on their page.
        </Text>
        <Told error={taken ? null : invite.error} />
        <Button type="submit" loading={invite.isPending}>
          Invite
        </Button>
      </Stack>
    </form>
  );
}
