/** A list beside the editor, which goes on as far as one asks. */
import { Button, Skeleton, Stack, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { inTurn } from "../../../api/turns";
import type { PageOf } from "../../../components/ResourceList";
import { Told } from "../../../components/Told";

interface Props<Item> {
  of: readonly unknown[];
  read: (cursor: string | undefined) => Promise<PageOf<Item>>;
  show: (item: Item) => ReactNode;
  empty: string;
}

export function Listed<Item extends { id: string }>({ of, read, show, empty }: Props<Item>) {
  const list = useInfiniteQuery({
    queryKey: of,
    queryFn: ({ pageParam, signal }) => inTurn(String(of[0]), signal, () => read(pageParam)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Stack gap={2} aria-busy={list.isFetching}>
      <Told error={list.error} />
      {list.isPending && ["first", "second", "third"].map((row) => <Skeleton key={row} height={28} />)}
      {items.map((item) => (
        <div key={item.id}>{show(item)}</div>
      ))}
      {list.isSuccess && items.length === 0 && (
        <Text size="sm" c="dimmed" px={6}>
          {list.isPlaceholderData ? "Looking …" : empty}
        </Text>
      )}
      {list.hasNextPage && (
        <Button
          size="compact-sm"
          variant="subtle"
          loading={list.isFetchingNextPage}
          onClick={() => list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </Stack>
  );
}
