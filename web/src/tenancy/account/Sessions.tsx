/** Where one is signed in, and an end to it. */
import { Badge, Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../api/client";
import { confirmFirst } from "../../components/confirm";
import { Moment } from "../../components/Moment";
import { useListed } from "../../components/narrowing";
import { howMany } from "../../components/numbers";
import { type Column, ResourceList } from "../../components/ResourceList";
import { BY_AGE } from "../../components/sorting";
import { Told } from "../../components/Told";
import { calledShortly } from "./clients";

type Session = Schemas["SessionOut"];

const SESSION_ORDERS = [...BY_AGE, "seen", "-seen"] as const;
type SessionOrder = (typeof SESSION_ORDERS)[number];

export function Sessions() {
  const cache = useQueryClient();
  const again = () => cache.invalidateQueries({ queryKey: ["sessions"] });
  const end = useMutation({
    mutationFn: (session: Session) =>
      api.DELETE("/api/v1/sessions/{session_id}", { params: { path: { session_id: session.id } } }),
    onSuccess: again,
  });
  const endOthers = useMutation({
    mutationFn: () => take(api.DELETE("/api/v1/sessions")),
    onSuccess: async ({ ended }) => {
      notifications.show({ message: `${howMany(ended, "other session")} ended.` });
      await again();
    },
  });
  const ask = (session: Session) =>
    confirmFirst(
      `End the session on ${calledShortly(session.client)}?`,
      "Whoever uses it is signed out at once, and what is not saved there is lost. Your tokens go on working.",
      "End it",
      () => end.mutate(session),
    );
  const askForAll = () =>
    confirmFirst(
      "End all other sessions?",
      "Everywhere but here you are signed out at once, on the command line too. Your tokens go on working.",
      "End all others",
      () => endOthers.mutate(),
    );
  const columns: Column<Session, SessionOrder>[] = [
    {
      name: "Where",
      cell: (session) => (
        <>
          <Text fw={600} title={session.client}>
            {calledShortly(session.client)}
          </Text>
          <Text size="sm" c="dimmed">
            {session.address}
          </Text>
        </>
      ),
    },
    { name: "Since", sort: "-created", cell: (session) => <Moment at={session.created_at} /> },
    { name: "Last seen", sort: "-seen", cell: (session) => <Moment at={session.last_seen_at} /> },
    { name: "Until", cell: (session) => <Moment at={session.expires_at} exact /> },
    {
      name: "",
      align: "right",
      cell: (session) =>
        session.current ? (
          <Badge variant="light" tt="none" miw="max-content">
            this one
          </Badge>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => ask(session)}>
            End it
          </Button>
        ),
    },
  ];
  return (
    <>
      <ResourceList
        of={["sessions"]}
        read={(query) => take(api.GET("/api/v1/sessions", { params: { query } }))}
        columns={columns}
        {...useListed(SESSION_ORDERS, "Find a session")}
        empty="You are signed in nowhere."
      />
      <Group mt="md">
        <Button variant="default" loading={endOthers.isPending} onClick={askForAll}>
          End all others
        </Button>
      </Group>
      <Told error={end.error ?? endOthers.error} />
    </>
  );
}
