/** A result as a chart: a sensible one at first, and then as one chooses. */
import { Alert, Group, Paper, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { useEffect, useMemo } from "react";
import { Chart } from "../../../components/Chart";
import type { GridColumn } from "../../../components/grid/values";
import { counted } from "../../../components/numbers";
import { type Choice, inWords, MARKS, type Mark, settled, WAYS, type Way } from "./choice";
import { specOf } from "./spec";

/** More than this is no picture any more. */
const DRAWN = 10_000;

const NAMES: Record<Mark, string> = { bar: "Bars", line: "Lines", area: "Areas", point: "Points" };
const PUT: Record<Way, string> = {
  none: "Nothing",
  sum: "Sum",
  mean: "Mean",
  min: "Smallest",
  max: "Largest",
  count: "Count of rows",
};

interface Props {
  columns: readonly GridColumn[];
  rows: readonly (readonly unknown[])[];
  total: number;
  /** There are more rows than are here. */
  onMore: () => void;
  chosen: Partial<Choice> | undefined;
  onChoose: (choice: Choice) => void;
}

export default function ResultChart({ columns, rows, total, onMore, chosen, onChoose }: Props) {
  const isWaiting = rows.length < Math.min(total, DRAWN);
  useEffect(() => {
    if (isWaiting) onMore();
  }, [isWaiting, onMore]);
  const drawn = useMemo(() => rows.slice(0, DRAWN), [rows]);
  const choice = settled(chosen, columns, drawn);
  const key = JSON.stringify(choice);
  const spec = useMemo(() => specOf(JSON.parse(key), columns, drawn), [key, columns, drawn]);
  const names = columns.map((column, at) => ({ value: String(at), label: column.name }));
  const choose = (changed: Partial<Choice>) => onChoose({ ...choice, ...changed });
  if (total === 0) return <Text c="dimmed">There are no rows to draw.</Text>;
  return (
    <Paper withBorder p="md">
      <Stack>
        <Group align="flex-end" gap="xs">
          <SegmentedControl
            size="xs"
            aria-label="Kind of chart"
            value={choice.mark}
            onChange={(mark) => choose({ mark: mark as Mark })}
            data={MARKS.map((mark) => ({ value: mark, label: NAMES[mark] }))}
          />
          <Select
            size="xs"
            flex="1 1 96px"
            miw={96}
            label="X axis"
            data={names}
            value={String(choice.x)}
            onChange={(at) => choose({ x: Number(at) })}
            allowDeselect={false}
            searchable
          />
          <Select
            size="xs"
            flex="1 1 96px"
            miw={96}
            label="Y axis"
            data={names}
            value={String(choice.y)}
            onChange={(at) => choose({ y: Number(at) })}
            allowDeselect={false}
            disabled={choice.how === "count"}
            searchable
          />
          <Select
            size="xs"
            flex="1 1 96px"
            miw={96}
            label="Combine rows by"
            data={WAYS.map((way) => ({ value: way, label: PUT[way] }))}
            value={choice.how}
            onChange={(how) => choose({ how: how as Way })}
            allowDeselect={false}
          />
          <Select
            size="xs"
            flex="1 1 96px"
            miw={96}
            label="Colour"
            placeholder="None"
            data={names}
            value={choice.colour < 0 ? null : String(choice.colour)}
            onChange={(at) => choose({ colour: at === null ? -1 : Number(at) })}
            clearable
            searchable
          />
        </Group>
        {total > DRAWN && (
          <Alert color="orange" variant="light" p="xs" role="note">
            Drawn from the first {counted(DRAWN)} of {counted(total)} rows. To draw all of them, let the query sum them
            up.
          </Alert>
        )}
        {!isWaiting && <Chart spec={spec} height={340} description={inWords(choice, columns)} />}
      </Stack>
    </Paper>
  );
}
