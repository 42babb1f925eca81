/** What waits for one: requests to decide, people to confirm, invitations that nobody took up, requests of one's own. */
import { Group, Paper, Text, ThemeIcon } from "@mantine/core";
import { IconMailQuestion, IconSend, IconUserCheck, IconUserPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, take } from "../api/client";
import { TextLink } from "../components/links";
import { waitingForMeQuery } from "../requests/waiting";
import { mayInTenant, useMe } from "../tenancy/session";

export function Waiting() {
  const me = useMe();
  const requests = useQuery(waitingForMeQuery).data;
  const people = useQuery({
    queryKey: ["members", "counts"],
    queryFn: () => take(api.GET("/api/v1/members/counts")),
    enabled: mayInTenant(me, "see_members"),
  }).data;
  const mine = useQuery({
    queryKey: ["access-requests", "mine", "waiting"],
    queryFn: () =>
      take(api.GET("/api/v1/access-requests", { params: { query: { mine: true, state: "waiting", limit: 20 } } })),
  }).data;
  const waiting = [
    requests !== undefined && requests.count > 0 && (
      <One key="requests" icon={IconMailQuestion}>
        <TextLink to="/requests" search={{ which: "waiting" }}>
          {requests.more ? `More than ${requests.count} requests wait` : several(requests.count, "request waits")} for
          your decision
        </TextLink>
      </One>
    ),
    people !== undefined && people.waiting > 0 && (
      <One key="people" icon={IconUserCheck}>
        <TextLink to="/members" search={{ state: "waiting" }}>
          {several(people.waiting, "newcomer waits")} to be confirmed
        </TextLink>
      </One>
    ),
    people !== undefined && people.invited > 0 && (
      <One key="invited" icon={IconUserPlus}>
        <TextLink to="/members" search={{ state: "invited" }}>
          {several(people.invited, "invitation is", "invitations are")} not taken up yet
        </TextLink>
      </One>
    ),
    mine !== undefined && mine.items.length > 0 && (
      <One key="mine" icon={IconSend}>
        <TextLink to="/requests" search={{ state: "waiting" }}>
          {mine.next_cursor
            ? `More than ${mine.items.length} requests of yours wait`
            : several(mine.items.length, "request of yours waits", "requests of yours wait")}{" "}
          for an answer
        </TextLink>
      </One>
    ),
  ].filter(Boolean);
  if (waiting.length === 0) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label="What waits">
      <Group gap="xl">{waiting}</Group>
    </Paper>
  );
}

/** “1 request waits”, “3 requests wait”. */
export function several(count: number, one: string, many?: string): string {
  const [noun, verb] = one.split(" ");
  return `${count} ${count === 1 ? one : (many ?? `${noun}s ${verb?.replace(/s$/, "")}`)}`;
}

function One({ icon: Icon, children }: { icon: typeof IconSend; children: ReactNode }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <ThemeIcon variant="light" size={28} radius="xl">
        <Icon size={16} stroke={1.6} />
      </ThemeIcon>
      <Text component="div">{children}</Text>
    </Group>
  );
}
