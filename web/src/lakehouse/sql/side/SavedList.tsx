/** Saved queries: one's own, and those that others share. */
import { Text, UnstyledButton } from "@mantine/core";
import { api, take } from "../../../api/client";
import { Moment } from "../../../components/Moment";
import { useMe } from "../../../tenancy/session";
import styles from "../SqlPage.module.css";
import { Listed } from "./Listed";

interface Props {
  search: string | undefined;
  opened: string | undefined;
  onOpen: (opened: { saved: string }) => void;
}

export function SavedList({ search, opened, onOpen }: Props) {
  const me = useMe();
  return (
    <Listed
      of={["saved-queries", "list", search ?? ""]}
      read={(cursor) => take(api.GET("/api/v1/saved-queries", { params: { query: { cursor, search, limit: 30 } } }))}
      empty={search ? "No saved query is called so." : "Nothing is saved yet. Write a query, and press Save."}
      show={(query) => (
        <UnstyledButton
          className={styles.item}
          aria-current={query.id === opened}
          title={query.description || undefined}
          onClick={() => onOpen({ saved: query.id })}
        >
          <Text size="sm" fw={600} truncate>
            {query.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {query.author.id === me.id ? (query.shared ? "yours, shared" : "yours") : `by ${query.author.name}`},{" "}
            <Moment at={query.saved_at} />
          </Text>
        </UnstyledButton>
      )}
    />
  );
}
