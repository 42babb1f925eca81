/** One history: of which table, by which key, and what of it is kept. */
import { Group, Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../../../api/client";
import { Fact } from "../../../components/Fact";
import { EditLink } from "../EditLink";
import { HISTORY } from "../kinds";
import { Inputs, Output, PipelineFrame } from "../PipelineFrame";

const route = getRouteApi("/inside/histories/$pipelineId");

export const readHistory = (pipeline_id: string) =>
  take(api.GET("/api/v1/histories/{pipeline_id}", { params: { path: { pipeline_id } } }));

export function HistoryPage() {
  const { pipelineId } = route.useParams();
  const { part } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PipelineFrame
      kind={HISTORY}
      id={pipelineId}
      read={readHistory}
      shown={part}
      onShow={(name) => navigate({ search: { part: name } })}
      tools={(history) => <EditLink kind={HISTORY} pipeline={history} />}
      facts={(history) => (
        <>
          <Fact name="Of">{history.table ? <Inputs tables={[history.table]} /> : "a table that is gone"}</Fact>
          <Fact name="Writes">
            <Output pipeline={history} />
          </Fact>
        </>
      )}
      parts={(history) => [
        {
          name: "what",
          label: "What is kept",
          show: () => (
            <Stack>
              <Group gap="xl">
                <Fact name="A row is known by">{history.keys.join(", ")}</Fact>
                <Fact name="Changes are kept of">{history.columns?.join(", ") ?? "all columns"}</Fact>
                <Fact name="Each snapshot is dated by">{history.as_of_column ?? "when the run starts"}</Fact>
              </Group>
              <Text size="sm" c="dimmed" maw={680}>
                With each run, rows that are new or differ from before are written with the moment from which they hold;
                what held before gets its end.
              </Text>
            </Stack>
          ),
        },
      ]}
    />
  );
}
