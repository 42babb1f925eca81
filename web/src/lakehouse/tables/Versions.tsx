/** The versions of a table: what each did, what was in it, and going back to one. */
import { Badge, Button, Group, Loader, Modal, Paper, Stack, Table, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { api, Problem, type Schemas, take } from "../../api/client";
import { TextLink } from "../../components/links";
import { Moment } from "../../components/Moment";
import { counted } from "../../components/numbers";
import { Told } from "../../components/Told";
import { KindLink } from "../KindLink";
import { Restore } from "./Restore";
import type { Begun } from "./Restoring";
import { Sample } from "./Sample";
import { inWords } from "./words";

type OneTable = Schemas["TableOut"];
type Version = Schemas["VersionOut"];

interface Props {
  table: OneTable;
  /** The version one looks at. */
  version: number | undefined;
  onLook: (version: number | undefined) => void;
  onRestoring: (begun: Begun) => void;
}

export function Versions({ table, version, onLook, onRestoring }: Props) {
  const versions = useInfiniteQuery({
    queryKey: ["tables", table.id, "versions"],
    queryFn: ({ signal, pageParam }) => versionsOf(table.id, pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ items, more }) => (more ? items.at(-1)?.version : undefined),
    staleTime: 60_000,
    retry: false,
  });
  if (versions.error) return <Told error={versions.error} />;
  if (!versions.data) {
    return (
      <Group role="status">
        <Loader size="sm" />
        <Text>Asking Spark which versions there are.</Text>
      </Group>
    );
  }
  const all = versions.data.pages.flatMap((page) => page.items);
  const latest = all[0]?.version;
  return (
    <Stack>
      <Paper withBorder style={{ overflowX: "auto" }} aria-busy={versions.isFetching}>
        <Table verticalSpacing="sm" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Version</Table.Th>
              <Table.Th>When</Table.Th>
              <Table.Th>What it did</Table.Th>
              <Table.Th ta="right">Rows it touched</Table.Th>
              <Table.Th>Made by</Table.Th>
              <Table.Th />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {all.map((one) => (
              <Table.Tr key={one.version}>
                <Table.Td fw={600} style={{ whiteSpace: "nowrap" }}>
                  {one.version}{" "}
                  {one.version === latest && (
                    <Badge variant="light" tt="none" ml={4}>
                      now
                    </Badge>
                  )}
                </Table.Td>
                <Table.Td style={{ whiteSpace: "nowrap" }}>
                  <Moment at={one.at} />
                </Table.Td>
                <Table.Td style={{ whiteSpace: "nowrap" }}>{inWords(one)}</Table.Td>
                <Table.Td ta="right">{counted(one.rows)}</Table.Td>
                <Table.Td>
                  <MadeBy version={one} />
                </Table.Td>
                <Table.Td>
                  <Group gap="xs" justify="flex-end" wrap="nowrap">
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      aria-label={`Look at version ${one.version}`}
                      onClick={() => onLook(one.version)}
                    >
                      Look
                    </Button>
                    {one.version !== latest && (
                      <Restore
                        table={table}
                        version={one.version}
                        onStarted={(runId) => onRestoring({ runId, to: one.version })}
                      />
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      {versions.hasNextPage && (
        <Group>
          <Button variant="default" loading={versions.isFetchingNextPage} onClick={() => versions.fetchNextPage()}>
            Show earlier ones
          </Button>
        </Group>
      )}
      <Modal
        opened={version !== undefined}
        onClose={() => onLook(undefined)}
        title={`${table.full_name} in version ${version}`}
        size="80rem"
      >
        {version !== undefined && <Sample table={table} version={version} height={420} />}
      </Modal>
    </Stack>
  );
}

function MadeBy({ version: { pipeline, run_id, started_by } }: { version: Version }) {
  if (!pipeline && !run_id) return "–";
  return (
    <>
      <Group gap="xs">
        {pipeline ? <KindLink {...pipeline} /> : started_by}
        {run_id && (
          <TextLink to="/runs/$runId" params={{ runId: run_id }} size="sm">
            {pipeline ? "its run" : "the run"}
          </TextLink>
        )}
      </Group>
      {pipeline && started_by && (
        <Text size="xs" c="dimmed">
          started by {started_by}
        </Text>
      )}
    </>
  );
}

/** A run lists them. While Spark is still starting that takes longer than one waits for an answer. */
async function versionsOf(
  tableId: string,
  before: number | undefined,
  signal: AbortSignal,
): Promise<{ items: Version[]; more: boolean }> {
  for (let tries = 0; tries < 3; tries++) {
    const found = await take(
      api.GET("/api/v1/tables/{table_id}/versions", {
        params: { path: { table_id: tableId }, query: { before, limit: 50, wait: 60 } },
        signal,
      }),
    );
    if (found.items) return { items: found.items, more: found.more };
    if (found.state !== "queued" && found.state !== "running") {
      throw new Problem(0, `The versions could not be read: the run that was to list them ended ${found.state}.`);
    }
  }
  throw new Problem(0, "Spark is busy or still starting. Try again in a minute.");
}
