/** Where the nodes of a graph lie, and from where one looks at them. */
import dagre from "@dagrejs/dagre";
import type { Rect, XYPosition } from "@xyflow/react";

/** Smaller letters are not read. */
export const LEAST = 0.6;
const EDGE = 24;
const STRONGEST = 1e6;

/** Wide enough for a text and an icon, within reason. */
export function wideEnough(...texts: readonly string[]): number {
  return Math.min(260, Math.max(130, 62 + 7.4 * Math.max(...texts.map((text) => text.length))));
}

export type Shape = [nodes: [id: string, width: number, height: number][], edges: [from: string, to: string][]];

export function placed([nodes, edges]: Shape) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 20, ranksep: 24, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [id, width, height] of nodes) graph.setNode(id, { width, height });
  const pull = pulls(edges);
  for (const [from, to] of edges) graph.setEdge(from, to, { weight: pull(to) });
  dagre.layout(graph);
  const at = new Map(
    nodes.map(([id, width, height]) => {
      const { x, y } = graph.node(id);
      return [id, { x: x - width / 2, y: y - height / 2 }];
    }),
  );
  return { at, height: graph.graph().height ?? 0 };
}

/** How strongly a node is pulled to where it comes from: more than all that comes from it pulls it the other way. So what
 * reads a thing stands right beside it, however far away the end of its own way is. */
function pulls(edges: Shape[1]): (id: string) => number {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const known = new Map<string, number>();
  const pull = (id: string): number => {
    const before = known.get(id);
    if (before !== undefined) return before;
    known.set(id, 1); // a circle ends here
    const sum = (next.get(id) ?? []).reduce((all, to) => all + pull(to), 1);
    known.set(id, Math.min(sum, STRONGEST));
    return sum;
  };
  return pull;
}

/** Where to look from when not all of it can be read at once: at the middle of what it is about, without showing much of
 * what lies beyond the graph. */
export function around(all: Rect, chosen: Rect, [wide, high]: readonly [number, number]) {
  const along = (begin: number, size: number, middle: number, shown: number) => {
    const free = shown - size * LEAST;
    if (free > 0) return free / 2 - begin * LEAST;
    const wanted = shown / 2 - middle * LEAST;
    return Math.min(EDGE - begin * LEAST, Math.max(free - EDGE - begin * LEAST, wanted));
  };
  return {
    x: along(all.x, all.width, chosen.x + chosen.width / 2, wide),
    y: along(all.y, all.height, chosen.y + chosen.height / 2, high),
    zoom: LEAST,
  };
}

/** From left to right and from top to bottom, which is then the order of the Tab key. */
export function inOrder<Node extends { position: XYPosition }>(nodes: readonly Node[]): Node[] {
  return nodes.toSorted((one, other) => one.position.x - other.position.x || one.position.y - other.position.y);
}
