/** Lineage, drawn: tables with pipelines between them, or tables with their columns. */
import { Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconDatabase, IconTransform } from "@tabler/icons-react";
import { type GraphEdge, type GraphNode, Port } from "../../components/Graph";
import { wideEnough } from "../../components/graph/layout";
import { TextLink } from "../../components/links";
import { KindLink } from "../KindLink";
import styles from "./drawn.module.css";
import { columnKey, columnsOf, type LineageOf, stepsOf, wayOf } from "./lineage";

interface Drawn {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

const HEAD = 44;
const LINE = 28;

export function byTable(lineage: LineageOf, chosen: string): Drawn {
  const pipelines = new Map(lineage.flows.map(({ through }) => [through.id, through]));
  const edges = new Map<string, GraphEdge>();
  for (const { from_table, to_table, through } of lineage.flows) {
    for (const [from, to] of [
      [from_table, through.id],
      [through.id, to_table],
    ] as const) {
      edges.set(`${from} ${to}`, { id: `${from} ${to}`, from, to });
    }
  }
  return {
    nodes: [
      ...lineage.tables.map((table) => ({
        id: table.id,
        width: wideEnough(table.full_name),
        height: HEAD,
        chosen: table.id === chosen,
        content: <Head table={table} chosen={table.id === chosen} />,
      })),
      ...[...pipelines.values()].map((through) => ({
        id: through.id,
        width: wideEnough(through.name, through.kind),
        height: 56,
        content: (
          <Group px="sm" h="100%" gap="xs" wrap="nowrap" className={styles.pipeline}>
            <IconTransform size={18} stroke={1.6} />
            <Stack gap={0} miw={0}>
              <Text size="xs" c="dimmed">
                {through.kind}
              </Text>
              <Text size="sm" truncate component="div">
                <KindLink {...through} />
              </Text>
            </Stack>
          </Group>
        ),
      })),
    ],
    edges: [...edges.values()],
  };
}

export function byColumn(
  lineage: LineageOf,
  chosen: string,
  lit: string | undefined,
  onLight: (column: string | undefined) => void,
): Drawn {
  const steps = stepsOf(lineage);
  const way = lit ? wayOf(steps, lit) : undefined;
  const shown = new Set(way ? [...way.up, ...way.down] : []);
  const reached = new Set([...shown].flatMap((step) => [step.from, step.to]));
  const columns = columnsOf(lineage);
  return {
    nodes: lineage.tables.map((table) => {
      const own = columns.get(table.id) ?? [];
      return {
        id: table.id,
        width: wideEnough(table.full_name, ...own),
        height: HEAD + own.length * LINE + 6,
        chosen: table.id === chosen,
        content: (
          <>
            <Head table={table} chosen={table.id === chosen} />
            {own.map((column) => {
              const key = columnKey(table.id, column);
              return (
                <div key={column} className={styles.line}>
                  <Port name={key} />
                  <UnstyledButton
                    className={styles.column}
                    data-lit={reached.has(key) || key === lit || undefined}
                    aria-pressed={key === lit}
                    onClick={() => onLight(key === lit ? undefined : key)}
                  >
                    {column}
                  </UnstyledButton>
                </div>
              );
            })}
          </>
        ),
      };
    }),
    edges: steps.map((step) => ({
      id: `${step.from} ${step.to} ${step.through}`,
      from: step.from.slice(0, step.from.indexOf(".")),
      to: step.to.slice(0, step.to.indexOf(".")),
      fromPort: step.from,
      toPort: step.to,
      lit: shown.has(step),
      faint: lit !== undefined && !shown.has(step),
    })),
  };
}

function Head({ table, chosen }: { table: LineageOf["tables"][number]; chosen: boolean }) {
  return (
    <Group px="sm" h={HEAD} gap="xs" wrap="nowrap">
      <IconDatabase size={18} stroke={1.6} />
      <Text size="sm" truncate component="div">
        {chosen ? (
          <Text span fw={600} size="sm">
            {table.full_name}
          </Text>
        ) : (
          <TextLink to="/tables/$tableId" params={{ tableId: table.id }} search={{ part: "lineage" }} fw={600} inherit>
            {table.full_name}
          </TextLink>
        )}
      </Text>
    </Group>
  );
}
