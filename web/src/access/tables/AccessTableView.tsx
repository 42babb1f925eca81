/** One of the documents' tables, as it reads there; where a decision is asked for, with the cell that decided lit. */
import { Box, Highlight, Paper, Table, Text, VisuallyHidden } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { AccessTable } from "../known";
import { cellInWords, type Lit } from "./reading";

interface Props {
  table: AccessTable;
  lit?: Lit;
  /** The verdict, where a cell is lit. */
  allowed?: boolean;
  /** The action asked about: shown in bold in a cell that names several. */
  action?: string;
  /** What is looked for. */
  search?: string;
  height?: string;
}

export function AccessTableView({ table, lit, allowed, action, search = "", height }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    // Only the table is scrolled, not the page: what is said beside it stays in view.
    if (!lit || !frame.current || !row.current) return;
    const { current: box } = frame;
    box.scrollTop = row.current.offsetTop - (box.clientHeight - row.current.clientHeight) / 2;
    const cell = row.current.children[1 + (lit.columns[0] ?? 0)];
    if (cell instanceof HTMLElement) box.scrollLeft = cell.offsetLeft - (box.clientWidth - cell.clientWidth) / 2;
  }, [lit]);
  return (
    <Paper withBorder style={{ overflow: "hidden" }}>
      <Box
        ref={frame}
        component="section"
        tabIndex={0}
        aria-label={`Table ${table.name}`}
        mah={height}
        pos="relative"
        style={{ overflow: "auto" }}
      >
        <Table verticalSpacing={8} horizontalSpacing="md" withColumnBorders stickyHeader={height !== undefined}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{table.rows_are === "who" ? "Who" : "Action"}</Table.Th>
              {table.columns.map((column, position) => (
                <Table.Th
                  key={column.name}
                  scope="col"
                  ta={table.rows_are === "actions" ? "center" : undefined}
                  bg={lit?.columns.includes(position) ? "var(--mantine-color-petrol-light)" : undefined}
                >
                  <Highlight highlight={search} inherit component="span">
                    {column.name}
                  </Highlight>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {table.rows.map((line, at) => (
              <Table.Tr
                key={line.name}
                ref={lit?.row === at ? row : undefined}
                bg={lit?.row === at ? "var(--mantine-color-petrol-light)" : undefined}
                aria-current={lit?.row === at ? "true" : undefined}
              >
                <Table.Th scope="row" fw={lit?.row === at ? 700 : 500} fs={line.listed ? undefined : "italic"}>
                  <Highlight highlight={search} inherit component="span">
                    {line.name}
                  </Highlight>
                </Table.Th>
                {table.columns.map((column, position) => (
                  <Cell
                    key={column.name}
                    said={cellInWords(table, at, position)}
                    centred={table.rows_are === "actions"}
                    search={search}
                    action={lit?.row === at ? action : undefined}
                    verdict={lit?.row === at && lit.columns.includes(position) ? allowed : undefined}
                  />
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      {table.rows.some((line) => !line.listed) && (
        <Text size="xs" c="dimmed" px="md" py={6}>
          In italics: what the document says in a sentence above its tables.
        </Text>
      )}
    </Paper>
  );
}

interface CellProps {
  said: string;
  centred: boolean;
  search: string;
  action?: string;
  /** Whether this is the cell that decided, and how. */
  verdict?: boolean;
}

const SPOKEN: Record<string, string> = { "✓": "yes", "–": "no" };

function Cell({ said, centred, search, action, verdict }: CellProps) {
  const decided = verdict !== undefined;
  const colour = verdict ? "var(--mantine-color-petrol-filled)" : "#c92a2a";
  return (
    <Table.Td
      ta={centred ? "center" : undefined}
      c={said === "–" && !decided ? "dimmed" : undefined}
      fw={decided ? 700 : undefined}
      data-decided={decided || undefined}
      style={decided ? { outline: `2px solid ${colour}`, outlineOffset: -2 } : undefined}
    >
      {SPOKEN[said] ? (
        <>
          <VisuallyHidden>{SPOKEN[said]}</VisuallyHidden>
          <span aria-hidden>{said}</span>
        </>
      ) : (
        <Highlight highlight={action ? [action, search] : search} inherit component="span">
          {said}
        </Highlight>
      )}
    </Table.Td>
  );
}
