/** Orders as the server names them: by a field, or with a minus from its other end. */

export const BY_NAME = ["name", "-name"] as const;
export type ByName = (typeof BY_NAME)[number];

const USUAL = "name";

/** What a list is sorted by, and how to sort it otherwise; nothing stands for the usual order, by name. */
export interface Sorting<Order extends string> {
  value: Order | undefined;
  set: (order: Order | undefined) => void;
  /** All orders that the server knows here. */
  known: readonly Order[];
}

const field = (order: string) => order.replace(/^-/, "");
const other = (order: string) => (order.startsWith("-") ? field(order) : `-${order}`);

/** How a column is sorted, for its header to tell: `first` is the order that pressing it gives first. */
export function sortedAs(first: string, now: string = USUAL): "ascending" | "descending" | "none" {
  if (field(now) !== field(first)) return "none";
  return now.startsWith("-") ? "descending" : "ascending";
}

/** What pressing a column's header changes the order to. */
export function pressed<Order extends string>(
  first: Order,
  { value, known }: Pick<Sorting<Order>, "value" | "known">,
): Order | undefined {
  const wanted = (value ?? USUAL) === first ? other(first) : first;
  return known.find((order) => order === wanted && order !== USUAL);
}
