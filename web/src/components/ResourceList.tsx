/** A list that pages, filters and searches on the server: every list of the app is one of these. */
import { Button, Center, Group, Paper, Skeleton, Stack, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Told } from "./Told";

export interface PageOf<Item> {
  items: Item[];
  next_cursor: string | null;
}

export interface Column<Item> {
  name: string;
  cell: (item: Item) => ReactNode;
  align?: "right";
}

interface Props<Item> {
  /** What the list is of, and everything besides the search that narrows it. */
  of: readonly unknown[];
  read: (page: { cursor?: string; search?: string }) => Promise<PageOf<Item>>;
  columns: readonly Column<Item>[];
  /** What to say where there is nothing at all, and what to do about it. */
  empty: ReactNode;
  search?: { value: string | undefined; set: (value: string | undefined) => void; label: string };
  filters?: ReactNode;
}

export function ResourceList<Item extends { id: string }>({ of, read, columns, empty, search, filters }: Props<Item>) {
  const sought = search?.value;
  const list = useInfiniteQuery({
    queryKey: [...of, "list", sought ?? ""],
    queryFn: ({ pageParam }) => read({ cursor: pageParam, search: sought }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const seek = useDebouncedCallback((value: string) => search?.set(value.trim() || undefined), 20);
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Stack gap="sm">
      {(search || filters) && (
        <Group>
          {search && (
            <TextInput
              defaultValue={sought ?? ""}
              onChange={(event) => seek(event.currentTarget.value)}
              leftSection={<IconSearch size={16} />}
              placeholder={search.label}
              aria-label={search.label}
              w={280}
              type="search"
            />
          )}
          {filters}
        </Group>
      )}
      <Told error={list.error} />
      <Paper withBorder style={{ overflowX: "auto" }} aria-busy={list.isFetching}>
        <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.name} ta={column.align}>
                  {column.name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {list.isPending && <Waiting columns={columns.length} />}
            {items.map((item) => (
              <Table.Tr key={item.id}>
                {columns.map((column) => (
                  <Table.Td key={column.name} ta={column.align}>
                    {column.cell(item)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {list.isSuccess && items.length === 0 && (
          <Center py="xl" px="md">
            {sought ? <Text c="dimmed">Nothing is called so.</Text> : empty}
          </Center>
        )}
      </Paper>
      {list.hasNextPage && (
        <Group>
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Waiting({ columns }: { columns: number }) {
  return ["first", "second", "third"].map((row) => (
    <Table.Tr key={row}>
      <Table.Td colSpan={columns}>
        <Skeleton height={18} />
      </Table.Td>
    </Table.Tr>
  ));
}
