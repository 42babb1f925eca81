/** Changing a member: what is sent along, and what is known of them at once. */
import { useQueryClient } from "@tanstack/react-query";
import { useChanging } from "../changing";
import type { Member, MemberDetail } from "../words";

export const memberKey = (id: string) => ["members", id] as const;

/** What every change of a member sends along. */
export const asSeen = (member: Pick<Member, "id" | "version">) => ({
  path: { member_id: member.id },
  header: { "If-Match": `"${member.version}"` },
});

interface After<Answer> {
  tell?: (now: Answer) => void;
  undo?: (now: Answer) => Promise<unknown>;
}

export function useChangingMember<Answer extends MemberDetail>(
  change: () => Promise<Answer>,
  said: (now: Answer) => string,
  after: After<Answer> = {},
) {
  const cache = useQueryClient();
  const onDone = (now: Answer) => {
    cache.setQueryData<MemberDetail>(memberKey(now.id), now);
  };
  return useChanging<void, Answer>(change, said, { ...after, onDone });
}
