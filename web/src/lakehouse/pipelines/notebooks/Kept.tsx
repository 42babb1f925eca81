/** Notebooks and integrations: kept with their rights, and not executed yet. Their lists and pages. */
import { Code, Group, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../../../api/client";
import { Fact } from "../../../components/Fact";
import { EditLink } from "../EditLink";
import { INTEGRATION, NOTEBOOK } from "../kinds";
import { Inputs, Output, PipelineFrame } from "../PipelineFrame";
import { PipelineList } from "../PipelineList";

const notebook = getRouteApi("/inside/notebooks/$pipelineId");
const integration = getRouteApi("/inside/integrations/$pipelineId");

export const readNotebook = (pipeline_id: string) =>
  take(api.GET("/api/v1/notebooks/{pipeline_id}", { params: { path: { pipeline_id } } }));

export const readIntegration = (pipeline_id: string) =>
  take(api.GET("/api/v1/integrations/{pipeline_id}", { params: { path: { pipeline_id } } }));

export function Notebooks() {
  return (
    <PipelineList
      kind={NOTEBOOK}
      read={(page) => take(api.GET("/api/v1/notebooks", { params: { query: page } }))}
      columns={[{ name: "Writes to", cell: (one) => one.output_layer?.name ?? "–" }]}
      teach="A notebook is kept here with the tables it reads and writes, for whoever may see all of these."
    />
  );
}

export function NotebookPage() {
  const { pipelineId } = notebook.useParams();
  const { part } = notebook.useSearch();
  const navigate = notebook.useNavigate();
  return (
    <PipelineFrame
      kind={NOTEBOOK}
      id={pipelineId}
      read={readNotebook}
      shown={part}
      onShow={(name) => navigate({ search: { part: name } })}
      tools={(one) => <EditLink kind={NOTEBOOK} pipeline={one} />}
      facts={(one) => <InAndOut pipeline={one} />}
      parts={(one) => [
        {
          name: "what",
          label: "Notebook",
          show: () => (one.content ? <Code block>{one.content}</Code> : <Text c="dimmed">Nothing is in it yet.</Text>),
        },
      ]}
    />
  );
}

export function Integrations() {
  return (
    <PipelineList
      kind={INTEGRATION}
      read={(page) => take(api.GET("/api/v1/integrations", { params: { query: page } }))}
      columns={[{ name: "Writes to", cell: (one) => one.output_layer?.name ?? "–" }]}
      teach="An integration is kept here with what is set about it, and with the tables it reads and writes."
    />
  );
}

export function IntegrationPage() {
  const { pipelineId } = integration.useParams();
  const { part } = integration.useSearch();
  const navigate = integration.useNavigate();
  return (
    <PipelineFrame
      kind={INTEGRATION}
      id={pipelineId}
      read={readIntegration}
      shown={part}
      onShow={(name) => navigate({ search: { part: name } })}
      tools={(one) => <EditLink kind={INTEGRATION} pipeline={one} />}
      facts={(one) => <InAndOut pipeline={one} />}
      parts={(one) => [
        {
          name: "what",
          label: "Settings",
          show: () => (
            <Group gap="xl">
              {Object.entries(one.settings).map(([name, value]) => (
                <Fact key={name} name={name}>
                  {String(value)}
                </Fact>
              ))}
              {Object.keys(one.settings).length === 0 && <Text c="dimmed">Nothing is set yet.</Text>}
            </Group>
          ),
        },
      ]}
    />
  );
}

function InAndOut({ pipeline }: { pipeline: Awaited<ReturnType<typeof readNotebook | typeof readIntegration>> }) {
  return (
    <>
      <Fact name="Reads">
        <Inputs tables={pipeline.inputs} />
      </Fact>
      <Fact name="Writes">
        <Output pipeline={pipeline} />
      </Fact>
    </>
  );
}
