/** Where the keyboard leads in a grid. */

export interface Cell {
  row: number;
  column: number;
}

interface Size {
  rows: number;
  columns: number;
  /** Rows that are seen at once. */
  page: number;
}

interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** The cell one comes to by a key, or nothing where the key leads nowhere. */
export function moved({ row, column }: Cell, { key, ctrlKey, metaKey }: Key, size: Size): Cell | undefined {
  const far = ctrlKey || metaKey;
  const to = (nextRow: number, nextColumn: number): Cell => ({
    row: Math.max(0, Math.min(size.rows - 1, nextRow)),
    column: Math.max(0, Math.min(size.columns - 1, nextColumn)),
  });
  switch (key) {
    case "ArrowUp":
      return to(far ? 0 : row - 1, column);
    case "ArrowDown":
      return to(far ? size.rows - 1 : row + 1, column);
    case "ArrowLeft":
      return to(row, far ? 0 : column - 1);
    case "ArrowRight":
      return to(row, far ? size.columns - 1 : column + 1);
    case "PageUp":
      return to(row - size.page, column);
    case "PageDown":
      return to(row + size.page, column);
    case "Home":
      return to(far ? 0 : row, 0);
    case "End":
      return to(far ? size.rows - 1 : row, size.columns - 1);
    default:
      return undefined;
  }
}
