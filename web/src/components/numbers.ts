/** Numbers as people read them. */
const NUMBER = new Intl.NumberFormat("en");
const SIZE = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const SIZES = ["B", "kB", "MB", "GB", "TB"];

/** “12,345”; a dash where nobody knows. */
export function counted(rows: number | null): string {
  return rows === null ? "–" : NUMBER.format(rows);
}

/** “1 member”, “12 members”. */
export function howMany(count: number, one: string, many = `${one}s`): string {
  return `${NUMBER.format(count)} ${count === 1 ? one : many}`;
}

/** “840 B”, “1.2 MB”; a dash where nobody knows. */
export function sized(bytes: number | null): string {
  if (bytes === null) return "–";
  const power = Math.min(SIZES.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${SIZE.format(bytes / 1000 ** power)} ${SIZES[power]}`;
}
