/** What can be done with somebody who is in: sending a link, suspending, letting back in, removing. */
import { Button, Group, Menu } from "@mantine/core";
import { IconChevronDown, IconKey, IconLogin2, IconUserMinus, IconUserPause, IconUserUp } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { api, take } from "../../api/client";
import { confirmFirst } from "../../components/confirm";
import { Told } from "../../components/Told";
import { Lost, TypeTheName } from "../../components/TypeTheName";
import type { MemberDetail } from "../words";
import { asSeen, useChangingMember } from "./changing";
import { type LinkPurpose, SendLink } from "./SendLink";

export function MemberMenu({ member }: { member: MemberDetail }) {
  const opener = useRef<HTMLButtonElement>(null);
  // What is opened from the menu gives the focus back to its button: the menu itself is gone by then.
  const from = (open: () => void) => () => {
    opener.current?.focus();
    open();
  };
  const [link, setLink] = useState<LinkPurpose>();
  const [removing, setRemoving] = useState(false);
  const suspend = useChangingMember(
    () => take(api.POST("/api/v1/members/{member_id}/suspend", { params: asSeen(member) })),
    (now) => `${now.name} is suspended.`,
  );
  const reactivate = useChangingMember(
    () => take(api.POST("/api/v1/members/{member_id}/reactivate", { params: asSeen(member) })),
    (now) => `${now.name} is active again, with the roles they had.`,
  );
  const remove = useChangingMember(
    async () => {
      const gone = await take(api.DELETE("/api/v1/members/{member_id}", { params: asSeen(member) }));
      setRemoving(false);
      return gone;
    },
    (now) => `${now.name} is removed.`,
  );
  const askToSuspend = () =>
    confirmFirst(
      `Suspend ${member.name}?`,
      "They are shut out at once: sessions and links end, and tokens stop until they are reactivated.",
      `Suspend ${member.name}`,
      () => suspend.mutate(),
    );
  const { actions, state } = member;
  const may = (action: string, ...states: string[]) => actions.includes(action) && states.includes(state);
  const shows = {
    signIn: may("make_a_magic_link", "active"),
    reset: may("reset_password", "active"),
    suspend: may("suspend", "active"),
    reactivate: may("suspend", "suspended"),
    remove: may("remove", "active", "suspended"),
  };
  if (!Object.values(shows).includes(true)) return null;
  return (
    <Group gap="xs">
      <Told error={suspend.error ?? reactivate.error} />
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button ref={opener} variant="default" rightSection={<IconChevronDown size={16} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {shows.signIn && (
            <Menu.Item leftSection={<IconLogin2 size={16} />} onClick={from(() => setLink("sign_in"))}>
              Send a link to sign in
            </Menu.Item>
          )}
          {shows.reset && (
            <Menu.Item leftSection={<IconKey size={16} />} onClick={from(() => setLink("reset_password"))}>
              Reset their password
            </Menu.Item>
          )}
          {shows.suspend && (
            <Menu.Item leftSection={<IconUserPause size={16} />} onClick={from(askToSuspend)}>
              Suspend
            </Menu.Item>
          )}
          {shows.reactivate && (
            <Menu.Item leftSection={<IconUserUp size={16} />} onClick={() => reactivate.mutate()}>
              Reactivate
            </Menu.Item>
          )}
          {shows.remove && (
            <Menu.Item leftSection={<IconUserMinus size={16} />} onClick={from(() => setRemoving(true))}>
              Remove from the tenant
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <SendLink member={member} purpose={link} onClose={() => setLink(undefined)} />
      <TypeTheName
        opened={removing}
        onClose={() => setRemoving(false)}
        title={`Remove ${member.name}?`}
        name={member.name}
        done={`Remove ${member.name}`}
        act={() => remove.mutate()}
        pending={remove.isPending}
        error={remove.error}
      >
        <Lost
          lines={[
            "They lose every role, level, group, session and token, at once and for good.",
            "What runs as them stops running. What they did stays in the audit, under their name.",
          ]}
        />
      </TypeTheName>
    </Group>
  );
}
