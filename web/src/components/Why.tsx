/** Why something cannot be done: the row of the documents' tables that decided, what is missing, who can give it. */
import { ActionIcon, Button, Group, Loader, Popover, Stack, Text, ThemeIcon, Tooltip } from "@mantine/core";
import { IconEye, IconHelpCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api, type Schemas, take } from "../api/client";
import { AskForAccess } from "../requests/AskForAccess";
import { viewing } from "../tenancy/viewing";
import { TextLink } from "./links";
import { MissingWays } from "./MissingWays";
import { DecidedBy } from "./NotForYou";
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
  const viewed = viewing();
  if (actions.includes(action))
    return viewed ? <OnlySeen by={viewed.name}>{children(false)}</OnlySeen> : children(true);
  return (
    <Group gap={4} wrap="nowrap">
      {children(false)}
      <Why action={action} on={on} />
    </Group>
  );
}

/** What whom one views as could do, and the viewer cannot. */
function OnlySeen({ by, children }: { by: string; children: ReactNode }) {
  const said = `${by} can do this; you only look`;
  return (
    <Group gap={4} wrap="nowrap">
      {children}
      <Tooltip label={said}>
        <ThemeIcon variant="transparent" color="gray" size="sm" role="img" aria-label={said}>
          <IconEye size={16} />
        </ThemeIcon>
      </Tooltip>
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
      <Popover opened={opened} onChange={setOpened} width={400} position="bottom-end" withArrow trapFocus withinPortal>
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" onClick={() => setOpened((before) => !before)} aria-label="Why?">
            <IconHelpCircle size={18} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label="Why not">
          {answer.isPending && <Loader size="sm" />}
          <Told error={answer.error} />
          {answer.data && (
            <Explained
              answer={answer.data}
              on={on}
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

interface ExplainedProps {
  answer: Schemas["CheckAnswer"];
  on: Target;
  onAsk: () => void;
}

function Explained({ answer, on, onAsk }: ExplainedProps) {
  const { decision, could_give: givers, requestable } = answer;
  return (
    <Stack gap="xs">
      <Text fw={600}>
        {decision.allowed
          ? `“${decision.action_name}” has become possible: load the page again`
          : `“${decision.action_name}” is not for you here`}
      </Text>
      <MissingWays ways={decision.missing} />
      {givers.length > 0 && <Text size="sm">Ask {givers.map((giver) => giver.name).join(", ")}.</Text>}
      <DecidedBy decision={decision} />
      <Group justify="space-between">
        {requestable && !viewing() ? (
          <Button size="xs" onClick={onAsk} w="fit-content">
            Ask for {requestable.level ?? requestable.role}
          </Button>
        ) : (
          <span />
        )}
        <TextLink
          to="/access"
          search={{ part: "check", type: on.type, id: on.id, action: decision.action }}
          size="sm"
          target="_self"
        >
          See it in the table
        </TextLink>
      </Group>
    </Stack>
  );
}
