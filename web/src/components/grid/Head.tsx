/** The head of a grid: names and types, which stay in sight, and the edges by which columns are made wider. */
import type { VirtualItem } from "@tanstack/react-virtual";
import type { PointerEvent } from "react";
import styles from "./Grid.module.css";
import { type GridColumn, isNumber } from "./values";

interface Props {
  columns: readonly GridColumn[];
  inSight: readonly VirtualItem[];
  gutter: number;
  onResize: (column: number, width: number) => void;
}

export function Head({ columns, inSight, gutter, onResize }: Props) {
  return (
    <thead className={styles.head}>
      <tr aria-rowindex={1}>
        <th scope="col" aria-label="Row" className={styles.number} style={{ width: gutter }} />
        {inSight.map(({ index, start, size }) => {
          const column = columns[index];
          if (!column) return null;
          return (
            <th
              key={index}
              scope="col"
              aria-colindex={index + 2}
              title={`${column.name}: ${column.type}`}
              className={isNumber(column.type) ? `${styles.name} ${styles.right}` : styles.name}
              style={{ left: start, width: size }}
            >
              <b>{column.name}</b>
              <span>{column.type}</span>
              <div
                aria-hidden
                className={styles.resize}
                onPointerDown={(event) => drag(event, size, (width) => onResize(index, width))}
              />
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function drag(down: PointerEvent<HTMLElement>, width: number, resize: (width: number) => void) {
  const edge = down.currentTarget;
  const from = down.clientX;
  const move = (event: globalThis.PointerEvent) => resize(width + event.clientX - from);
  const stop = () => edge.removeEventListener("pointermove", move);
  down.preventDefault();
  edge.setPointerCapture(down.pointerId);
  edge.addEventListener("pointermove", move);
  edge.addEventListener("lostpointercapture", stop, { once: true });
}
