/** One pipeline query: its statement, the table it makes, and what is expected of its rows. */
import { Code, Group, List, Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../../../api/client";
import { Fact } from "../../../components/Fact";
import { EditLink } from "../EditLink";
import { QUERY } from "../kinds";
import { Inputs, Output, PipelineFrame } from "../PipelineFrame";
import { expected } from "./expected";
import type { Expectation, Query } from "./statement";

const route = getRouteApi("/inside/pipeline-queries/$pipelineId");

const MODES: Record<string, string> = { overwrite: "replaces all rows", append: "adds rows", merge: "merges by key" };

export const readQuery = (pipeline_id: string) =>
  take(api.GET("/api/v1/pipeline-queries/{pipeline_id}", { params: { path: { pipeline_id } } }));

export function QueryPage() {
  const { pipelineId } = route.useParams();
  const { part } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PipelineFrame
      kind={QUERY}
      id={pipelineId}
      read={readQuery}
      shown={part}
      onShow={(name) => navigate({ search: { part: name } })}
      tools={(query) => <EditLink kind={QUERY} pipeline={query} />}
      facts={(query) => (
        <>
          <Fact name="Writes">
            <Output pipeline={query} />
          </Fact>
          <Fact name="With each run">{MODES[query.mode] ?? query.mode}</Fact>
          <Fact name="Reads">
            <Inputs tables={query.inputs} />
          </Fact>
        </>
      )}
      parts={(query) => [{ name: "what", label: "Statement", show: () => <Statement query={query} /> }]}
    />
  );
}

function Statement({ query }: { query: Query }) {
  const expectations = query.expectations as unknown as Expectation[];
  return (
    <Stack>
      <Code block fz="sm">
        {query.sql}
      </Code>
      {query.keys.length > 0 && <Text size="sm">Rows are known by {query.keys.join(", ")}.</Text>}
      {expectations.length > 0 && (
        <>
          <Text fw={600}>Expected of its rows</Text>
          <List size="sm">
            {expectations.map((one) => (
              <List.Item key={expected(one)}>
                <Group gap={6}>
                  {expected(one)}
                  <Text span size="sm" c="dimmed">
                    {one.stop ? "or nothing is written" : "or the run warns"}
                  </Text>
                </Group>
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Stack>
  );
}
