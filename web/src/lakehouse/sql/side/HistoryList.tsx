/** What one asked before, the latest first; the rows of a query come back as long as they are kept. */
import { Text, UnstyledButton } from "@mantine/core";
import { api, type Schemas, take } from "../../../api/client";
import { Moment } from "../../../components/Moment";
import { counted } from "../../../components/numbers";
import styles from "../SqlPage.module.css";
import { Listed } from "./Listed";

type Asked = Schemas["QueryInListOut"];

interface Props {
  search: string | undefined;
  opened: string | undefined;
  onOpen: (opened: { query: string }) => void;
}

export function HistoryList({ search, opened, onOpen }: Props) {
  return (
    <Listed
      of={["queries", "list", search ?? ""]}
      read={(cursor) => take(api.GET("/api/v1/queries", { params: { query: { cursor, search, limit: 30 } } }))}
      empty={search ? "You asked nothing with this in it." : "You have asked nothing yet."}
      show={(query) => (
        <UnstyledButton
          className={styles.item}
          aria-current={query.id === opened}
          title={query.sql.slice(0, 600)}
          onClick={() => onOpen({ query: query.id })}
        >
          <Text size="xs" ff="monospace" lineClamp={2}>
            {query.sql}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {became(query)}, <Moment at={query.created_at} />
          </Text>
        </UnstyledButton>
      )}
    />
  );
}

function became({ state, row_count: count, result_until: until }: Asked): string {
  if (state !== "succeeded") return state;
  return `${counted(count)} ${count === 1 ? "row" : "rows"}${until ? "" : ", no longer kept"}`;
}
