/** Things and what flows between them, laid out from left to right: lineage, and the whole flow, are drawn by it. */
import "@xyflow/react/dist/base.css";
import { ActionIcon, Box, Group, Tooltip, useComputedColorScheme } from "@mantine/core";
import { IconFocusCentered, IconMinus, IconPlus } from "@tabler/icons-react";
import {
  Background,
  Handle,
  MiniMap,
  type Node,
  type NodeProps,
  Panel,
  Position,
  ReactFlow,
  useReactFlow,
} from "@xyflow/react";
import { type FocusEvent, type ReactNode, useMemo, useRef } from "react";
import styles from "./graph/Graph.module.css";
import { around, inOrder, LEAST, placed } from "./graph/layout";

export interface GraphNode {
  id: string;
  width: number;
  height: number;
  /** What it shows; links and buttons in it are reached by keyboard, in the order in which they flow. */
  content: ReactNode;
  chosen?: boolean;
  faint?: boolean;
}

export interface GraphEdge {
  id: string;
  from: string;
  to: string;
  /** The `Port`s it leaves from and comes in at, where a node has several. */
  fromPort?: string;
  toPort?: string;
  lit?: boolean;
  faint?: boolean;
}

interface Props {
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  label: string;
  /** At most: a small graph takes less. */
  height?: number;
  minimap?: boolean;
}

type Card = Node<Pick<GraphNode, "content" | "chosen" | "faint">, "card">;

const KINDS = { card: CardOf };
const LIT = { stroke: "var(--mantine-color-anchor)", strokeWidth: 2 };
const FAINT = { opacity: 0.25 };
const ROOM = 128; // above and below
/** What stands above it on a page leaves so much; all of it is seen without scrolling. */
const ON_SCREEN = "max(320px, calc(100dvh - 250px))";
const FIT = { maxZoom: 1, minZoom: LEAST, padding: 0.04 };

export function Graph({ nodes, edges, label, height = 520, minimap = false }: Props) {
  const colours = useComputedColorScheme();
  const frame = useRef<HTMLElement>(null);
  // What is lit changes nothing about where things are.
  const shape = JSON.stringify([
    nodes.map(({ id, width, height: high }) => [id, width, high]),
    edges.map(({ from, to }) => [from, to]),
  ]);
  const places = useMemo(() => placed(JSON.parse(shape)), [shape]);
  const cards: Card[] = nodes.map(({ id, width, height: high, ...data }) => ({
    id,
    type: "card",
    position: places.at.get(id) ?? { x: 0, y: 0 },
    width,
    height: high,
    style: { pointerEvents: "all" },
    data,
  }));
  return (
    <section
      ref={frame}
      className={styles.frame}
      style={{ height: Math.min(height, places.height + ROOM), maxHeight: ON_SCREEN }}
      aria-label={label}
    >
      <ReactFlow
        key={shape}
        nodes={inOrder(cards)}
        edges={edges.map((edge) => ({
          id: edge.id,
          source: edge.from,
          target: edge.to,
          sourceHandle: edge.fromPort ? `out ${edge.fromPort}` : "out",
          targetHandle: edge.toPort ? `in ${edge.toPort}` : "in",
          style: edge.lit ? LIT : edge.faint ? FAINT : undefined,
          zIndex: edge.lit ? 1 : 0,
        }))}
        nodeTypes={KINDS}
        colorMode={colours}
        fitView
        fitViewOptions={FIT}
        onInit={(flow) => {
          if (!frame.current || flow.getZoom() > LEAST) return;
          const chosen = cards.find((card) => card.data.chosen);
          const all = flow.getNodesBounds(cards);
          // At what it is about, or where it begins.
          const first = chosen ? flow.getNodesBounds([chosen]) : { ...all, width: 0, height: 0 };
          const { clientWidth, clientHeight } = frame.current;
          void flow.setViewport(around(all, first, [clientWidth, clientHeight]));
        }}
        minZoom={0.1}
        maxZoom={1.5}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        zoomOnScroll={false}
        preventScrolling={false}
        proOptions={{ hideAttribution: true }}
      >
        <Background gap={24} />
        {minimap && <MiniMap pannable ariaLabel="Overview" />}
        <Panel position="bottom-left">
          <Closer />
        </Panel>
      </ReactFlow>
    </section>
  );
}

/** Where an edge may begin and end inside a node: a place of its own, around which the edges of one column meet. */
export function Port({ name }: { name: string }) {
  return (
    <>
      <Handle type="target" id={`in ${name}`} position={Position.Left} isConnectable={false} className={styles.port} />
      <Handle
        type="source"
        id={`out ${name}`}
        position={Position.Right}
        isConnectable={false}
        className={styles.port}
      />
    </>
  );
}

function CardOf({ data, positionAbsoluteX: x, positionAbsoluteY: y, width = 0, height = 0 }: NodeProps<Card>) {
  const { setCenter, getZoom } = useReactFlow();
  const follow = (event: FocusEvent) => {
    if (event.target.matches(":focus-visible")) void setCenter(x + width / 2, y + height / 2, { zoom: getZoom() });
  };
  const look = [styles.card, data.chosen && styles.chosen, data.faint && styles.faint].filter(Boolean).join(" ");
  return (
    <>
      <Handle type="target" id="in" position={Position.Left} isConnectable={false} className={styles.port} />
      <Box className={look} onFocus={follow}>
        {data.content}
      </Box>
      <Handle type="source" id="out" position={Position.Right} isConnectable={false} className={styles.port} />
    </>
  );
}

function Closer() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const buttons = [
    { name: "Closer", icon: IconPlus, act: () => zoomIn() },
    { name: "Farther", icon: IconMinus, act: () => zoomOut() },
    { name: "All of it", icon: IconFocusCentered, act: () => fitView({ ...FIT, minZoom: 0.1 }) },
  ];
  return (
    <Group gap={4}>
      {buttons.map(({ name, icon: Icon, act }) => (
        <Tooltip key={name} label={name}>
          <ActionIcon variant="default" aria-label={name} onClick={() => void act()}>
            <Icon size={16} />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
}
