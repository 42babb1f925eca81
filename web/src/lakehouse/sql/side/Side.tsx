/** Beside the editor: the tables one may see, saved queries, and what one asked before. */
import { SegmentedControl, Stack } from "@mantine/core";
import { SearchInput } from "../../../components/SearchInput";
import type { SideName, SqlSearch } from "../routes";
import { HistoryList } from "./HistoryList";
import { SavedList } from "./SavedList";
import { TablesList } from "./TablesList";

interface Props {
  search: SqlSearch;
  onSearch: (changed: Partial<SqlSearch>) => void;
  onInsert: (text: string) => void;
  onOpen: (opened: { saved?: string; query?: string }) => void;
}

const PARTS: { value: SideName; label: string }[] = [
  { value: "tables", label: "Tables" },
  { value: "saved", label: "Saved" },
  { value: "history", label: "History" },
];
const FIND: Record<SideName, string> = {
  tables: "Find a table",
  saved: "Find a saved query",
  history: "Find what you asked",
};

export function Side({ search, onSearch, onInsert, onOpen }: Props) {
  const shown = search.side ?? "tables";
  return (
    <Stack gap="sm" component="aside" aria-label="Tables and queries">
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Beside the editor"
        value={shown}
        onChange={(value) => onSearch({ side: value as SideName, search: undefined })}
        data={PARTS}
      />
      <SearchInput label={FIND[shown]} value={search.search} set={(value) => onSearch({ search: value })} />
      {shown === "tables" && <TablesList search={search.search} onInsert={onInsert} />}
      {shown === "saved" && <SavedList search={search.search} opened={search.saved} onOpen={onOpen} />}
      {shown === "history" && <HistoryList search={search.search} opened={search.query} onOpen={onOpen} />}
    </Stack>
  );
}
