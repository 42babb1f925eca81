/** A list that pages, filters and searches on the server: every list of the app is one of these. */
import { Button, Center, Group, type MantineBreakpoint, Paper, Skeleton, Stack, Table, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { Problem } from "../api/client";
import { inTurn } from "../api/turns";
import { HeaderCell } from "./HeaderCell";
import { type Search, SearchInput } from "./SearchInput";
import type { Sorting } from "./sorting";
import { Told } from "./Told";

export interface PageOf<Item> {
  items: Item[];
  next_cursor: string | null;
}

export interface Column<Item, Order extends string = never> {
  name: string;
  cell: (item: Item) => ReactNode;
  align?: "right";
  /** On narrower screens it is left out: what it says stands elsewhere, too. */
  from?: MantineBreakpoint;
  /** The order that pressing its head gives first. */
  sort?: Order;
}

interface Props<Item, Order extends string> {
  /** What the list is of, and everything besides the search that narrows it. */
  of: readonly unknown[];
  read: (page: { cursor?: string; search?: string; sort?: Order }) => Promise<PageOf<Item>>;
  columns: readonly Column<Item, Order>[];
  /** What to say where there is nothing at all, and what to do about it. */
  empty: ReactNode;
  search?: Search;
  filters?: ReactNode;
  /** Where filters are set: lifts them, and clears the search. */
  unfilter?: () => void;
  sort?: Sorting<Order>;
}

export function ResourceList<Item extends { id: string }, Order extends string = never>(props: Props<Item, Order>) {
  const { of, read, columns, empty, search, filters, unfilter, sort } = props;
  const box = useRef<HTMLInputElement>(null);
  const sought = search?.value;
  const order = sort?.value;
  const list = useInfiniteQuery({
    queryKey: [...of, "list", sought ?? "", order ?? ""],
    queryFn: ({ pageParam, signal }) =>
      inTurn(of.join(), signal, () => read({ cursor: pageParam, search: sought, sort: order })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  const clear = () => {
    if (unfilter) unfilter();
    else search?.set(undefined);
    box.current?.focus(); // the button that had it goes
  };
  // What is not for the reader has nothing to be searched or sorted.
  if (list.error instanceof Problem && list.error.decision) return <Told error={list.error} />;
  return (
    <Stack gap="sm">
      {(search || filters) && (
        <Group>
          {search && <SearchInput {...search} ref={box} w={280} />}
          {filters}
        </Group>
      )}
      <Told error={list.error} />
      <Paper withBorder style={{ overflowX: "auto" }} aria-busy={list.isFetching}>
        <Table verticalSpacing="sm" horizontalSpacing="md" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <HeaderCell
                  key={column.name}
                  name={column.name}
                  align={column.align}
                  from={column.from}
                  first={column.sort}
                  sort={sort}
                />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {list.isPending && <Waiting columns={columns.length} />}
            {items.map((item) => (
              <Table.Tr key={item.id}>
                {columns.map((column) => (
                  <Table.Td key={column.name} ta={column.align} visibleFrom={column.from}>
                    {column.cell(item)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {list.isSuccess && items.length === 0 && (
          <Center py="xl" px="md">
            {list.isPlaceholderData ? (
              <Text c="dimmed">Looking …</Text>
            ) : sought || unfilter ? (
              <Stack align="center" gap="xs">
                <Text c="dimmed">
                  Nothing fits{sought && ` “${sought}”`}
                  {unfilter && (sought ? " and the filters" : " the filters")}.
                </Text>
                <Button variant="default" size="compact-sm" onClick={clear}>
                  Clear {[sought && "the search", unfilter && "the filters"].filter(Boolean).join(" and ")}
                </Button>
              </Stack>
            ) : (
              empty
            )}
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
