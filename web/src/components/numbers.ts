/** Numbers as people read them. */
const NUMBER = new Intl.NumberFormat("en");
const MEGABYTES = new Intl.NumberFormat("en", { style: "unit", unit: "megabyte", maximumFractionDigits: 1 });

/** “12,345”; a dash where nobody knows. */
export function counted(rows: number | null): string {
  return rows === null ? "–" : NUMBER.format(rows);
}

/** “1.2 MB”; a dash where nobody knows. */
export function sized(bytes: number | null): string {
  return bytes === null ? "–" : MEGABYTES.format(bytes / 1e6);
}
