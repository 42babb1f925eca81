/** What a query gave: as rows, which come as one scrolls, or as a chart. */
import { Alert, Group, SegmentedControl, Skeleton, Stack, Text } from "@mantine/core";
import { useViewportSize } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useMemo } from "react";
import { api, take } from "../../../api/client";
import { Grid } from "../../../components/Grid";
import { counted } from "../../../components/numbers";
import { Told } from "../../../components/Told";
import type { Asked } from "../asking";
import type { Choice } from "../chart/choice";
import type { SqlSearch } from "../routes";
import { lasted } from "../statement";
import { Download } from "./Download";

const ResultChart = lazy(() => import("../chart/ResultChart"));

const FIRST = 500;
const NEXT = 10_000;
const ABOVE = 500; // pixels, about: what stands over the rows
const LOWEST = 300;

interface Props {
  asked: Asked;
  /** Instead of its rows. */
  chart: Partial<Choice> | undefined;
  onShow: (shown: Pick<SqlSearch, "show" | "chart">) => void;
}

export function Result({ asked, chart, onShow }: Props) {
  const { id, row_count: count, columns } = asked;
  const { height: tall } = useViewportSize();
  const isKept = asked.result_until !== null && Date.parse(asked.result_until) > Date.now();
  const rows = useInfiniteQuery({
    queryKey: ["queries", id, "rows"],
    queryFn: ({ pageParam: cursor }) =>
      take(
        api.GET("/api/v1/queries/{query_id}/rows", {
          params: { path: { query_id: id }, query: { cursor, limit: cursor ? NEXT : FIRST } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    enabled: isKept,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const all = useMemo(() => rows.data?.pages.flatMap((page) => page.rows) ?? [], [rows.data]);
  const { fetchNextPage, hasNextPage, isFetching, isError } = rows;
  const more = useCallback(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetching, isError]);
  const height = Math.max(LOWEST, tall - ABOVE);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Said asked={asked} />
        {isKept && (
          <Group gap="sm">
            <SegmentedControl
              size="xs"
              aria-label="Show as"
              value={chart ? "chart" : "rows"}
              onChange={(show) => onShow({ show: show === "chart" ? "chart" : "rows" })}
              data={[
                { value: "rows", label: "Rows" },
                { value: "chart", label: "Chart" },
              ]}
            />
            <Download queryId={id} />
          </Group>
        )}
      </Group>
      {!isKept && (
        <Alert
          color="gray"
          variant="light"
          styles={{ title: { color: "var(--mantine-color-text)" } }}
          title="Its rows are no longer kept"
        >
          <Text size="sm">Results are kept for a while only. Run the query again to see what it gives now.</Text>
        </Alert>
      )}
      <Told error={rows.error} />
      {isKept && rows.isPending && <Skeleton height={LOWEST} />}
      {rows.data &&
        (chart ? (
          <Suspense fallback={<Skeleton height={LOWEST} />}>
            <ResultChart
              columns={columns ?? []}
              rows={all}
              total={count ?? all.length}
              onMore={more}
              chosen={chart}
              onChoose={(chart) => onShow({ show: "chart", chart })}
            />
          </Suspense>
        ) : (
          <Grid
            columns={columns ?? []}
            rows={all}
            total={count ?? undefined}
            onEnd={more}
            height={height}
            label="Rows of the result"
          />
        ))}
    </Stack>
  );
}

function Said({ asked: { row_count: count, cut, started_at: began, ended_at: ended } }: { asked: Asked }) {
  const took = began && ended ? ` in ${lasted(Date.parse(ended) - Date.parse(began))}` : "";
  return (
    <Text size="sm" role="status">
      <b>
        {counted(count)} {count === 1 ? "row" : "rows"}
      </b>
      {took}
      {cut ? "; there would be more, only these are kept" : ""}
    </Text>
  );
}
