/** One node of the flow: what it is, where its page is, and what its last run came to. */
import { ActionIcon, Group, Stack, Text, Tooltip } from "@mantine/core";
import { IconDatabase, IconFocus2, IconFolders } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Schemas } from "../api/client";
import { wideEnough } from "../components/graph/layout";
import { TextLink } from "../components/links";
import { kindCalled } from "../lakehouse/pipelines/kinds";
import { RunStateBadge } from "../runs/State";

export type FlowNode = Schemas["FlowNodeOut"];

export function sizeOf(node: FlowNode): { width: number; height: number } {
  return { width: wideEnough(fullName(node), kindCalled(node.type)?.one ?? "") + 38, height: node.last_run ? 84 : 60 };
}

/** “raw.orders”; pipelines lie in no layer. */
export function fullName(node: Pick<FlowNode, "name" | "layer">): string {
  return node.layer ? `${node.layer}.${node.name}` : node.name;
}

export function FlowCard({ node, onAround }: { node: FlowNode; onAround: () => void }) {
  const kind = kindCalled(node.type);
  const Icon = kind?.icon ?? (node.type === "volume" ? IconFolders : IconDatabase);
  const name = fullName(node);
  return (
    <Group
      px="sm"
      py={6}
      h="100%"
      gap="xs"
      wrap="nowrap"
      align="center"
      bg={kind && "var(--mantine-color-default-hover)"}
    >
      <Icon size={20} stroke={1.6} style={{ flexShrink: 0 }} />
      <Stack gap={2} miw={0} flex={1}>
        <Text size="xs" c="dimmed" truncate>
          {kind?.one ?? node.type}
          {node.state === "inactive" && ", inactive"}
        </Text>
        <Text size="sm" truncate component="div">
          <ToPage node={node} name={name} />
        </Text>
        {node.last_run && (
          <Link
            to="/runs/$runId"
            params={{ runId: node.last_run.id }}
            aria-label={`Last run of ${name}: ${node.last_run.state}`}
          >
            <RunStateBadge state={node.last_run.state} />
          </Link>
        )}
      </Stack>
      <Tooltip label="Only what leads here and comes from here">
        <ActionIcon variant="subtle" color="gray" aria-label={`Only around ${name}`} onClick={onAround}>
          <IconFocus2 size={16} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

function ToPage({ node: { id, type }, name }: { node: FlowNode; name: string }) {
  const page = kindCalled(type)?.page;
  if (page) {
    return (
      <TextLink to={page} params={{ pipelineId: id }} fw={600} inherit>
        {name}
      </TextLink>
    );
  }
  if (type === "volume") {
    return (
      <TextLink to="/volumes/$volumeId" params={{ volumeId: id }} fw={600} inherit>
        {name}
      </TextLink>
    );
  }
  return (
    <TextLink to="/tables/$tableId" params={{ tableId: id }} fw={600} inherit>
      {name}
    </TextLink>
  );
}
