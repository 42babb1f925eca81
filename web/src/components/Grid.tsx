/** Rows of a result: however many there are, only those in sight are in the page. Arrows move, Enter shows the whole of
 * a value, Ctrl C copies it, Shift with left and right makes a column narrower and wider. */
import { useVirtualizer } from "@tanstack/react-virtual";
import type { ClipboardEvent, KeyboardEvent, MouseEvent } from "react";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import styles from "./grid/Grid.module.css";
import { Head } from "./grid/Head";
import { type Cell, moved } from "./grid/moving";
import { cellId, Row } from "./grid/Row";
import { type GridColumn, whole, widthOf } from "./grid/values";
import { Whole } from "./grid/Whole";

const ROW = 30;
const HEAD = 48;
const NARROWEST = 48;
const STEP = 24;
const OVERSCAN = 8;
/** So many rows before the end of what is here, more is asked for. */
const AHEAD = 300;

interface Props {
  columns: readonly GridColumn[];
  rows: readonly (readonly unknown[])[];
  height?: number;
  /** How many rows there are in all, if more than are here yet: the others come as one scrolls. */
  total?: number;
  /** More rows are needed; called again and again until they are there. */
  onEnd?: () => void;
  label?: string;
}

export function Grid({ columns, rows, height = 440, total = 0, onEnd, label = "Rows" }: Props) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 });
  const [opened, setOpened] = useState<Cell>();
  const [widths, setWidths] = useState<Record<number, number>>({});
  const sizes = useMemo(
    () => columns.map((column, at) => widths[at] ?? widthOf(column, at, rows)),
    [columns, rows, widths],
  );
  const count = Math.max(total, rows.length);
  const gutter = 22 + 7 * String(count).length;

  const down = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    paddingStart: HEAD,
    scrollPaddingStart: HEAD,
    overscan: OVERSCAN,
    useFlushSync: false,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => sizes[at] ?? NARROWEST,
    paddingStart: gutter,
    scrollPaddingStart: gutter,
    overscan: 2,
    useFlushSync: false,
  });
  useLayoutEffect(() => {
    if (sizes.length > 0) across.measure();
  }, [across, sizes]);

  const inSight = across.getVirtualItems();
  const seen = down.getVirtualItems();
  // Rows that go out of sight give their place in the page to those that come.
  const slots = Math.ceil(height / ROW) + 2 * OVERSCAN + 2;
  const last = seen.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - AHEAD) onEnd?.();
  }, [last, rows.length, onEnd]);

  const resize = (column: number, width: number) =>
    setWidths((before) => ({ ...before, [column]: Math.max(NARROWEST, width) }));
  const moveTo = (cell: Cell) => {
    setActive(cell);
    down.scrollToIndex(cell.row);
    across.scrollToIndex(cell.column);
  };
  const close = () => {
    setOpened(undefined);
    scroller.current?.querySelector("table")?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.shiftKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      event.preventDefault();
      const step = event.key === "ArrowLeft" ? -STEP : STEP;
      resize(active.column, (sizes[active.column] ?? NARROWEST) + step);
      return;
    }
    if (event.key === "Enter" && rows[active.row]) {
      event.preventDefault();
      setOpened(active);
      return;
    }
    const to = moved(active, event, { rows: count, columns: columns.length, page: Math.floor((height - HEAD) / ROW) });
    if (!to) return;
    event.preventDefault();
    moveTo(to);
  };
  const onClick = (event: MouseEvent) => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]") : null;
    if (!cell) return;
    const clicked = { row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
    setActive(clicked);
    const value = rows[clicked.row]?.[clicked.column];
    const isCut = cell.scrollWidth > cell.clientWidth || (typeof value === "object" && value !== null);
    if (isCut || event.detail > 1) setOpened(clicked);
  };
  const onCopy = (event: ClipboardEvent) => {
    if (event.target !== event.currentTarget || window.getSelection()?.toString()) return;
    event.clipboardData.setData("text/plain", whole(rows[active.row]?.[active.column]));
    event.preventDefault();
  };

  // A table whose cells one walks through with the keyboard: one stop of the Tab key.
  const isSeen = seen.some((row) => row.index === active.row);
  const walked = {
    role: "grid",
    tabIndex: 0,
    "aria-activedescendant": isSeen ? cellId(id, active.row, active.column) : undefined,
  } as const;
  const column = opened && columns[opened.column];
  const place = opened && across.measurementsCache[opened.column];
  return (
    <div ref={scroller} className={styles.grid} style={{ maxHeight: height }}>
      <table
        {...walked}
        aria-label={label}
        aria-rowcount={count + 1}
        aria-colcount={columns.length + 1}
        className={styles.sizer}
        style={{ height: down.getTotalSize(), width: across.getTotalSize() }}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onCopy={onCopy}
      >
        <Head columns={columns} inSight={inSight} gutter={gutter} onResize={resize} />
        <tbody>
          {seen.map(({ index, start }) => (
            <Row
              key={index % slots}
              id={id}
              at={index}
              top={start}
              row={rows[index]}
              columns={columns}
              inSight={inSight}
              gutter={gutter}
              active={index === active.row ? active.column : undefined}
            />
          ))}
        </tbody>
      </table>
      {opened && column && place && (
        <Whole
          column={column}
          value={rows[opened.row]?.[opened.column]}
          place={{ top: HEAD + opened.row * ROW, left: place.start, width: place.size, height: ROW }}
          onClose={close}
        />
      )}
    </div>
  );
}
