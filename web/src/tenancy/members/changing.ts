/** What every change of a member does to what the app knows. */
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { meQuery } from "../session";
import type { Member, MemberDetail } from "../words";

export const memberKey = (id: string) => ["members", id] as const;

/** What every change of a member sends along. */
export const asSeen = (member: Member) => ({
  path: { member_id: member.id },
  header: { "If-Match": `"${member.version}"` },
});

export function useChangingMember<Sent = void>(
  change: (sent: Sent) => Promise<MemberDetail>,
  said: (now: MemberDetail) => string,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (now) => {
      cache.setQueryData(memberKey(now.id), now);
      notifications.show({ message: said(now) });
      const touched = [["members"], ["groups"], ["projects"], meQuery.queryKey];
      await Promise.all(touched.map((queryKey) => cache.invalidateQueries({ queryKey })));
    },
  });
}
