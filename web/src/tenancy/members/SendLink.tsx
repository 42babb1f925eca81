/** Sending somebody a link to sign in, or to set a new password; shown once to those who may hand it over. */
import { Button, Checkbox, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, take } from "../../api/client";
import { Told } from "../../components/Told";
import { Handed } from "../handOver";
import { handsLinksOver, useMe } from "../session";
import type { MemberDetail } from "../words";

export type LinkPurpose = "sign_in" | "reset_password";

interface Props {
  member: Pick<MemberDetail, "id" | "name" | "email" | "actions">;
  purpose: LinkPurpose | undefined;
  onClose: () => void;
}

export function SendLink({ member, purpose, onClose }: Props) {
  const title = purpose === "sign_in" ? `A link for ${member.name} to sign in` : `Reset the password of ${member.name}`;
  return (
    <Modal opened={purpose !== undefined} onClose={onClose} title={title}>
      {purpose && <Sending member={member} purpose={purpose} onClose={onClose} />}
    </Modal>
  );
}

function Sending({ member, purpose, onClose }: Props & { purpose: LinkPurpose }) {
  const unsent = handsLinksOver(useMe());
  const maySee = member.actions.includes("see_the_link");
  const [show, setShow] = useState(unsent && maySee);
  const make = useMutation({
    mutationFn: () =>
      take(
        api.POST("/api/v1/members/{member_id}/links", {
          params: { path: { member_id: member.id } },
          body: { purpose, show },
        }),
      ),
  });
  if (make.data) return <Handed said={make.data.detail} link={make.data.link} onDone={onClose} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          {unsent ? "No mail server is set, so it is not sent. It" : `It goes to ${member.email},`} works once, and for
          an hour.
          {purpose === "reset_password" && " Setting the new password signs them out everywhere else."}
        </Text>
        {maySee && (
          <Checkbox
            label={unsent ? "Show it to me" : "Show it to me as well"}
            description="To hand it over yourself. That you saw it goes on record."
            checked={show}
            onChange={(event) => setShow(event.currentTarget.checked)}
          />
        )}
        <Told error={make.error} />
        <Button type="submit" loading={make.isPending} data-autofocus>
          {unsent ? "Make it" : "Send it"}
        </Button>
      </Stack>
    </form>
  );
}
