/** A list's search and its order, as they stand in the address of the page that shows it. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { oneOf } from "../app/inside";
import type { Search } from "./SearchInput";
import type { Sorting } from "./sorting";

export interface Narrowed {
  search?: string;
  /** As the server names it, if the list knows it. */
  sort?: string;
  /** Where several lists stand on a page, which of them is meant. */
  of?: string;
}

const UNNARROWED = { search: undefined, sort: undefined };

/** For a list that knows these orders, the first of which is the usual one. */
export function useListed<Order extends string>(
  known: readonly Order[],
  label: string,
  of?: string,
): { search: Search; sort: Sorting<Order> } {
  const navigate = useNavigate();
  const narrowed = useSearch({
    strict: false,
    select: (at: Narrowed) => (at.of === of ? { search: at.search, sort: at.sort } : UNNARROWED),
  });
  const narrow = (by: Narrowed) =>
    navigate({ to: ".", search: (before) => ({ ...before, ...narrowed, of, ...by }), replace: true });
  return {
    search: { value: narrowed.search, set: (search) => narrow({ search }), label },
    sort: { value: oneOf(known, narrowed.sort), set: (sort) => narrow({ sort }), known },
  };
}
