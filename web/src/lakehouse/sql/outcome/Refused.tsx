/** Tables that one does not see: they are not there, or closed. Which of the two is told to nobody; but one can ask. */
import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconLock, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../../../api/client";
import { TextLink } from "../../../components/links";
import { AskForAccess } from "../../../requests/AskForAccess";
import { RequestState } from "../../../requests/RequestState";
import { isStillOpen } from "../../../requests/words";
import { mayInTenant, useMe } from "../../../tenancy/session";

/** Orange letters on orange are too faint. */
const LEGIBLE = { title: { color: "var(--mantine-color-text)" } };

interface Props {
  tables: readonly string[];
  /** When it was asked for: what was given before has not helped. */
  at: string;
  onAgain: () => void;
}

export function Refused({ tables, at, onAgain }: Props) {
  const seesEverything = mayInTenant(useMe(), "ask_about_anybody_s_access");
  const [asking, setAsking] = useState<string>();
  const mine = useQuery({
    queryKey: ["access-requests", "mine", "for tables"],
    queryFn: () => take(api.GET("/api/v1/access-requests", { params: { query: { mine: true, limit: 100 } } })),
    enabled: !seesEverything,
    staleTime: 0,
  });
  if (seesEverything) {
    return (
      <Alert color="red" variant="light" title={`There is no ${tables.join(" and no ")}`} role="alert">
        <Text size="sm">Nothing is hidden from you. Look for its name in the list of tables.</Text>
      </Alert>
    );
  }
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconLock size={18} />}
      title={`You do not see ${tables.join(", ")}`}
      styles={LEGIBLE}
      role="alert"
    >
      <Stack gap="sm">
        <Text size="sm">
          There is no such table, or it is closed to you; those who may not see a table are not told which. To read it
          you need the level <b>Viewer</b>. Its Managers can give it to you, as can the Managers of its layer, and
          tenant owners and admins.
        </Text>
        {tables.map((table) => {
          const asked = mine.data?.items.find(
            ({ resource }) => resource.type === "table" && resource.name.toLowerCase() === table.toLowerCase(),
          );
          return (
            <Group key={table} gap="sm">
              <Code>{table}</Code>
              {asked && isStillOpen(asked, at) ? (
                <>
                  <IconCheck size={15} />
                  <Text size="sm">
                    <TextLink to="/requests/$requestId" params={{ requestId: asked.id }} c="inherit" td="underline">
                      You asked for {asked.level}
                    </TextLink>
                  </Text>
                  <RequestState request={asked} />
                </>
              ) : (
                <Button size="xs" onClick={() => setAsking(table)}>
                  Ask for Viewer
                </Button>
              )}
            </Group>
          );
        })}
        <Button size="xs" variant="default" w="fit-content" leftSection={<IconRefresh size={15} />} onClick={onAgain}>
          Run it again
        </Button>
      </Stack>
      {asking && (
        <AskForAccess opened onClose={() => setAsking(undefined)} named={asking} onAsked={() => void mine.refetch()} />
      )}
    </Alert>
  );
}
