/** Where one is signed in, and an end to it. */
import { Badge, Button, Group, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../api/client";
import { Moment } from "../../components/Moment";
import { type Column, ResourceList } from "../../components/ResourceList";
import { Told } from "../../components/Told";

type Session = Schemas["SessionOut"];

export function Sessions() {
  const cache = useQueryClient();
  const again = () => cache.invalidateQueries({ queryKey: ["sessions"] });
  const end = useMutation({
    mutationFn: (session: Session) =>
      api.DELETE("/api/v1/sessions/{session_id}", { params: { path: { session_id: session.id } } }),
    onSuccess: again,
  });
  const endOthers = useMutation({ mutationFn: () => take(api.DELETE("/api/v1/sessions")), onSuccess: again });
  const columns: Column<Session>[] = [
    {
      name: "Where",
      cell: (session) => (
        <>
          <Text fw={600}>{session.client || "unknown"}</Text>
          <Text size="sm" c="dimmed">
            {session.address}
          </Text>
        </>
      ),
    },
    { name: "Since", cell: (session) => <Moment at={session.created_at} /> },
    { name: "Last seen", cell: (session) => <Moment at={session.last_seen_at} /> },
    {
      name: "",
      align: "right",
      cell: (session) =>
        session.current ? (
          <Badge variant="light">this one</Badge>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => end.mutate(session)}>
            End it
          </Button>
        ),
    },
  ];
  return (
    <>
      <ResourceList
        of={["sessions"]}
        read={({ cursor }) => take(api.GET("/api/v1/sessions", { params: { query: { cursor } } }))}
        columns={columns}
        empty="You are signed in nowhere."
      />
      <Group mt="md">
        <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
          End all others
        </Button>
      </Group>
      <Told error={end.error ?? endOthers.error} />
    </>
  );
}
