/** Orders as the server names them: by a field, or with a minus from its other end. */

export const BY_NAME = ["name", "-name"] as const;
export type ByName = (typeof BY_NAME)[number];

/** The newest first, as usual, or the oldest. */
export const BY_AGE = ["-created", "created"] as const;
export type ByAge = (typeof BY_AGE)[number];

/** What a list is sorted by, and how to sort it otherwise; nothing stands for its usual order. */
export interface Sorting<Order extends string> {
  value: Order | undefined;
  set: (order: Order | undefined) => void;
  /** All orders that the server knows here; the first is the usual one. */
  known: readonly Order[];
}

const field = (order: string) => order.replace(/^-/, "");
const other = (order: string) => (order.startsWith("-") ? field(order) : `-${order}`);

/** How a column is sorted, for its header to tell: `first` is the order that pressing it gives first. */
export function sortedAs<Order extends string>(
  first: Order,
  { value, known }: Pick<Sorting<Order>, "value" | "known">,
): "ascending" | "descending" | "none" {
  const now = value ?? known[0] ?? "";
  if (field(now) !== field(first)) return "none";
  return now.startsWith("-") ? "descending" : "ascending";
}

/** What pressing a column's header changes the order to. */
export function pressed<Order extends string>(
  first: Order,
  { value, known }: Pick<Sorting<Order>, "value" | "known">,
): Order | undefined {
  const [usual] = known;
  const wanted = (value ?? usual) === first ? other(first) : first;
  return known.find((order) => order === wanted && order !== usual);
}
