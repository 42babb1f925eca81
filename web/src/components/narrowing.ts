/** A list's search and its order by name, out of what it is narrowed to. */
import type { Search } from "./SearchInput";
import { BY_NAME, type ByName, type Sorting } from "./sorting";

export interface Narrowed {
  search?: string;
  sort?: ByName;
}

export function searchedAndSorted(
  { search, sort }: Narrowed,
  narrow: (by: Narrowed) => void,
  label: string,
): { search: Search; sort: Sorting<ByName> } {
  return {
    search: { value: search, set: (value) => narrow({ search: value, sort }), label },
    sort: { value: sort, set: (value) => narrow({ search, sort: value }), known: BY_NAME },
  };
}
