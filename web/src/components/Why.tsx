/** Why something cannot be done: the row of the documents' tables that decided, what is missing, who can give it. */
import { ActionIcon, Button, Group, Loader, Popover, Stack, Text } from "@mantine/core";
import { IconHelpCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api, type Decision, type Schemas, take } from "../api/client";
import { AskForAccess } from "../requests/AskForAccess";
import { Told } from "./Told";

export interface Target {
  type: string;
  id: string;
}

interface Props {
  action: string;
  on: Target;
  /** What the API says the caller may do with it. */
  actions: readonly string[];
  /** The control: usable where the action is among them, otherwise shown out of reach, with its reason beside it. */
  children: (allowed: boolean) => ReactNode;
}

export function Guarded({ action, on, actions, children }: Props) {
  if (actions.includes(action)) return children(true);
  return (
    <Group gap={4} wrap="nowrap">
      {children(false)}
      <Why action={action} on={on} />
    </Group>
  );
}

function Why({ action, on }: { action: string; on: Target }) {
  const [opened, setOpened] = useState(false);
  const [asking, setAsking] = useState(false);
  const answer = useQuery({
    queryKey: ["access", "check", action, on],
    queryFn: () => take(api.POST("/api/v1/access/check", { body: { action, resource: on } })),
    enabled: opened,
  });
  return (
    <>
      <Popover opened={opened} onChange={setOpened} width={380} position="bottom-end" withArrow trapFocus>
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" onClick={() => setOpened((before) => !before)} aria-label="Why?">
            <IconHelpCircle size={18} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          {answer.isPending && <Loader size="sm" />}
          <Told error={answer.error} />
          {answer.data && (
            <Explained
              answer={answer.data}
              onAsk={() => {
                setOpened(false);
                setAsking(true);
              }}
            />
          )}
        </Popover.Dropdown>
      </Popover>
      {answer.data?.requestable && (
        <AskForAccess opened={asking} onClose={() => setAsking(false)} wanted={answer.data.requestable} />
      )}
    </>
  );
}

function Explained({ answer, onAsk }: { answer: Schemas["CheckAnswer"]; onAsk: () => void }) {
  const { decision, could_give: givers, requestable } = answer;
  return (
    <Stack gap="xs">
      <Text fw={600}>“{decision.action_name}” is not for you here</Text>
      {decision.missing.map((way) => (
        <Text key={way.map((change) => change.fact).join()} size="sm">
          It takes {way.map((change) => `${change.fact} ${change.needs} (it is ${change.has})`).join(" and ")}, given by{" "}
          {way.map((change) => change.given_by).join("; ")}.
        </Text>
      ))}
      {givers.length > 0 && <Text size="sm">Ask {givers.map((giver) => giver.name).join(", ")}.</Text>}
      <DecidedBy decision={decision} />
      {requestable && (
        <Button size="xs" onClick={onAsk} w="fit-content">
          Ask for {requestable.level ?? requestable.role}
        </Button>
      )}
    </Stack>
  );
}

function DecidedBy({ decision }: { decision: Decision }) {
  return (
    <Text size="xs" c="dimmed">
      Decided by document “{decision.document}”, table “{decision.table}”, row “{decision.row}”, column “
      {decision.column}”.
    </Text>
  );
}
