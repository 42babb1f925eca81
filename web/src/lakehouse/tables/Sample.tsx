/** Some rows of a table, as it is or as it was in a version. */
import { Group, Loader, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, take } from "../../api/client";
import { Grid } from "../../components/Grid";
import { howMany } from "../../components/numbers";
import { Told } from "../../components/Told";
import { rowsOf } from "../asking";

const MOST = 100;

interface Props {
  table: Schemas["TableOut"];
  version?: number;
  height?: number;
}

export function Sample({ table, version, height }: Props) {
  const [note, setNote] = useState("");
  const sample = useQuery({
    queryKey: ["tables", table.id, "sample", version ?? `now ${table.data_version}`],
    queryFn: async ({ signal }) => {
      const asked = await take(
        api.GET("/api/v1/tables/{table_id}/sample", {
          params: { path: { table_id: table.id }, query: { rows: MOST, version, wait: 10 } },
          signal,
        }),
      );
      return rowsOf(asked, { signal, onNote: setNote });
    },
    staleTime: 300_000,
    retry: false,
  });
  if (sample.error) return <Told error={sample.error} />;
  if (!sample.data) {
    return (
      <Group role="status">
        <Loader size="sm" />
        <Text>{note || "Reading some rows."}</Text>
      </Group>
    );
  }
  const { columns, rows, note: said } = sample.data;
  if (rows.length === 0) return <Text c="dimmed">{said ?? "There are no rows in it."}</Text>;
  return (
    <Stack gap="xs">
      <Grid columns={columns} rows={rows} height={height} label={`Some rows of ${table.full_name}`} />
      <Text size="sm" c="dimmed">
        {rows.length < MOST
          ? `All of it: ${howMany(rows.length, "row")}.`
          : `${howMany(rows.length, "row")}, as they come.`}
      </Text>
    </Stack>
  );
}
