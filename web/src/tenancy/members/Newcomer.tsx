/** What can be done with somebody who is not in yet: let in, turned down, reminded, taken back. */
import { Button, type ButtonProps, Group } from "@mantine/core";
import { api, take } from "../../api/client";
import { confirmFirst } from "../../components/confirm";
import { Told } from "../../components/Told";
import { tellOfLink } from "../handOver";
import { handsLinksOver, mayInTenant, useMe } from "../session";
import type { Member } from "../words";
import { asSeen, useChangingMember } from "./changing";

export function Newcomer({ member, size }: { member: Member; size?: ButtonProps["size"] }) {
  if (member.state === "waiting" && member.actions.includes("confirm")) return <Waiting member={member} size={size} />;
  if (member.state === "invited" && member.actions.includes("remove")) return <Invited member={member} size={size} />;
  return null;
}

/** Where nothing can be sent, whoever may see the link gets it, to hand it over. */
function useShowingTheirLink(member: Member): boolean {
  return handsLinksOver(useMe()) && member.actions.includes("see_the_link");
}

function Waiting({ member, size }: { member: Member; size?: ButtonProps["size"] }) {
  const show = useShowingTheirLink(member);
  const confirm = useChangingMember(
    () => take(api.POST("/api/v1/members/{member_id}/confirm", { params: asSeen(member), body: { show } })),
    (now) => now.detail,
    { tell: (now) => tellOfLink({ name: now.name, said: now.detail, link: now.link }) },
  );
  const decline = useChangingMember(
    () => take(api.POST("/api/v1/members/{member_id}/decline", { params: asSeen(member) })),
    (now) => `${now.name} was declined; whoever invited them is told.`,
  );
  const ask = () =>
    confirmFirst(
      `Decline ${member.name}?`,
      `${member.email} is not let in, and whoever invited them is told.`,
      `Decline ${member.name}`,
      () => decline.mutate(),
    );
  return (
    <Group gap="xs" justify="flex-end">
      <Button size={size} loading={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm
      </Button>
      <Button size={size} variant="default" loading={decline.isPending} onClick={ask}>
        Decline
      </Button>
      <Told error={confirm.error ?? decline.error} />
    </Group>
  );
}

function Invited({ member, size }: { member: Member; size?: ButtonProps["size"] }) {
  const mayAdd = mayInTenant(useMe(), "add_members");
  const show = useShowingTheirLink(member);
  const resend = useChangingMember(
    () => take(api.POST("/api/v1/members/{member_id}/resend-invitation", { params: asSeen(member), body: { show } })),
    (now) => now.detail,
    {
      tell: ({ name, detail, link }) =>
        tellOfLink({ name, said: `${detail} The one made before works no longer.`, link }),
    },
  );
  const withdraw = useChangingMember(
    () => take(api.POST("/api/v1/members/{member_id}/withdraw-invitation", { params: asSeen(member) })),
    (now) => `The invitation of ${now.name} is withdrawn.`,
  );
  const ask = () =>
    confirmFirst(
      `Withdraw the invitation of ${member.name}?`,
      `The link to join for ${member.email} stops working at once, and what they were given falls away.`,
      "Withdraw it",
      () => withdraw.mutate(),
    );
  return (
    <Group gap="xs" justify="flex-end">
      {mayAdd && (
        <Button size={size} variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
          {show ? "Make a new link" : "Send again"}
        </Button>
      )}
      <Button size={size} variant="default" loading={withdraw.isPending} onClick={ask}>
        Withdraw
      </Button>
      <Told error={resend.error ?? withdraw.error} />
    </Group>
  );
}
