/** Beginning to view as somebody: from the account menu, and from their own page. */
import { Button, List, Menu, Modal, Stack, Text } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { MemberPicker } from "../components/Pickers";
import { Told } from "../components/Told";
import { Guarded } from "../components/Why";
import { mayInTenant, useMe } from "./session";
import { viewAs, viewing } from "./viewing";

const RIGHT = "view_as_another_member";

/** Of the account menu, for those who may. */
export function ViewAsItem({ onOpen }: { onOpen: () => void }) {
  if (!mayInTenant(useMe(), RIGHT)) return null;
  return (
    <Menu.Item leftSection={<IconEye size={16} />} onClick={onOpen}>
      View as somebody
    </Menu.Item>
  );
}

/** On a member's page; whoever may view as nobody does not see it. */
export function ViewAsButton({ member }: { member: { id: string; name: string; actions: readonly string[] } }) {
  const me = useMe();
  const begin = useMutation({ mutationFn: () => viewAs(member.id) });
  if (!mayInTenant(me, RIGHT) || member.id === me.id || viewing()) return null;
  return (
    <Stack gap="xs">
      <Guarded action="view_as" on={{ type: "member", id: member.id }} actions={member.actions}>
        {(allowed) => (
          <Button
            variant="default"
            leftSection={<IconEye size={16} />}
            disabled={!allowed}
            loading={begin.isPending}
            onClick={() => begin.mutate()}
          >
            View as
          </Button>
        )}
      </Guarded>
      <Told error={begin.error} />
    </Stack>
  );
}

export function ViewAsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [member, setMember] = useState<string | null>(null);
  const begin = useMutation({ mutationFn: viewAs });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (member) begin.mutate(member);
  };
  return (
    <Modal opened={opened} onClose={onClose} title="View as somebody">
      <form onSubmit={submit}>
        <Stack>
          <MemberPicker label="Who" value={member} onChange={setMember} takes={["active"]} required data-autofocus />
          <Text size="sm">For up to an hour you see every page as they do, to help them.</Text>
          <List size="sm" c="dimmed">
            <List.Item>Nothing can be changed or started.</List.Item>
            <List.Item>
              Rows of data, files, and what is theirs alone (sessions, tokens, queries) are not shown.
            </List.Item>
            <List.Item>It goes on record, where they can read it too.</List.Item>
          </List>
          <Told error={begin.error} />
          <Button type="submit" disabled={!member} loading={begin.isPending}>
            View as them
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
