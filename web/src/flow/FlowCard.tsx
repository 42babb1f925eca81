/** One node of the flow: what it is, where its page is, and what its last run came to. */
import { ActionIcon, Group, Stack, Text, Tooltip } from "@mantine/core";
import { IconDatabase, IconFocus2, IconFolders } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Schemas } from "../api/client";
import { TextLink } from "../components/links";
import { kindCalled } from "../lakehouse/pipelines/kinds";
import { RunStateBadge } from "../runs/State";

export type FlowNode = Schemas["FlowNodeOut"];

// In pixels, as wide as letters are on the whole.
const LETTER = 8;
const SMALL = 6.2;
const BUTTON = 50; // with the icon before it
const PADDING = 26;
const NARROWEST = 90;
const WIDEST = 190;

export function sizeOf(node: FlowNode): { width: number; height: number } {
  const said = what(node).length * SMALL + BUTTON;
  const width = Math.min(WIDEST, PADDING + Math.max(NARROWEST, said, node.name.length * LETTER));
  return { width, height: runOf(node) ? 82 : 56 };
}

/** Of a table and a volume its layer, of a pipeline its kind: “raw”, “query”; what it is, its icon tells, too. */
function what(node: FlowNode): string {
  return `${node.layer ?? node.type}${node.state === "inactive" ? ", inactive" : ""}`;
}

/** Of pipelines; that of a table is shown where it was made. */
function runOf(node: FlowNode) {
  return kindCalled(node.type) && node.last_run;
}

/** “raw.orders”; pipelines lie in no layer. */
export function fullName(node: Pick<FlowNode, "name" | "layer">): string {
  return node.layer ? `${node.layer}.${node.name}` : node.name;
}

export function FlowCard({ node, onAround }: { node: FlowNode; onAround: () => void }) {
  const kind = kindCalled(node.type);
  const Icon = kind?.icon ?? (node.type === "volume" ? IconFolders : IconDatabase);
  const run = runOf(node);
  return (
    <Stack px="sm" py={4} h="100%" gap={0} justify="center" bg={kind && "var(--mantine-color-default-hover)"}>
      <Group gap={6} wrap="nowrap">
        <Icon size={16} stroke={1.6} style={{ flexShrink: 0 }} />
        <Text size="xs" c="dimmed" truncate flex={1} title={kind?.one ?? node.type}>
          {what(node)}
        </Text>
        <Tooltip label="Only what leads here and comes from here">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Only around ${fullName(node)}`}
            onClick={onAround}
          >
            <IconFocus2 size={14} />
          </ActionIcon>
        </Tooltip>
      </Group>
      <Text size="sm" truncate component="div" title={fullName(node)}>
        <ToPage node={node} />
      </Text>
      {run && (
        <Link
          to="/runs/$runId"
          params={{ runId: run.id }}
          aria-label={`Last run of ${node.name}: ${run.state}`}
          style={{ width: "fit-content" }}
        >
          <RunStateBadge state={run.state} />
        </Link>
      )}
    </Stack>
  );
}

function ToPage({ node }: { node: FlowNode }) {
  const page = kindCalled(node.type)?.page;
  const look = { fw: 600, inherit: true, "aria-label": fullName(node), children: node.name };
  if (page) return <TextLink to={page} params={{ pipelineId: node.id }} {...look} />;
  if (node.type === "volume") return <TextLink to="/volumes/$volumeId" params={{ volumeId: node.id }} {...look} />;
  return <TextLink to="/tables/$tableId" params={{ tableId: node.id }} {...look} />;
}
