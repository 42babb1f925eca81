/** One row of a grid: only the cells that are in sight. */
import type { VirtualItem } from "@tanstack/react-virtual";
import { memo } from "react";
import styles from "./Grid.module.css";
import { type GridColumn, isNumber, short } from "./values";

interface Props {
  id: string;
  at: number;
  top: number;
  /** Nothing while it is on its way. */
  row: readonly unknown[] | undefined;
  columns: readonly GridColumn[];
  inSight: readonly VirtualItem[];
  gutter: number;
  active: number | undefined;
}

export const cellId = (grid: string, row: number, column: number) => `${grid}-${row}-${column}`;

export const Row = memo(function Row({ id, at, top, row, columns, inSight, gutter, active }: Props) {
  return (
    <tr aria-rowindex={at + 2} aria-busy={!row} className={styles.row} style={{ top }}>
      <th scope="row" className={styles.number} style={{ width: gutter }}>
        {at + 1}
      </th>
      {inSight.map(({ index, start, size }) => {
        const column = columns[index];
        if (!column) return null;
        const value = row?.[index];
        const said = row ? (value === null ? "null" : short(value, column.type)) : "…";
        const classes = [styles.cell];
        if (isNumber(column.type)) classes.push(styles.right);
        if (row && value === null) classes.push(styles.null);
        if (index === active) classes.push(styles.active);
        return (
          <td
            key={index}
            id={cellId(id, at, index)}
            aria-colindex={index + 2}
            data-row={at}
            data-column={index}
            title={said.length > 8 ? said : undefined}
            className={classes.join(" ")}
            style={{ left: start, width: size }}
          >
            {said}
          </td>
        );
      })}
    </tr>
  );
});
