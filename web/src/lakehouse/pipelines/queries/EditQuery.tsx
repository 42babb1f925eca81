/** A new pipeline query, and one that is changed. */
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../../../components/Page";
import { QUERY } from "../kinds";
import { OnePipeline } from "../OnePipeline";
import { QueryForm } from "./QueryForm";
import { readQuery } from "./QueryPage";

const route = getRouteApi("/inside/pipeline-queries/$pipelineId/edit");

export function NewQuery() {
  return (
    <Page title="Add a pipeline query" about="A SELECT whose rows go into a table with each run.">
      <QueryForm />
    </Page>
  );
}

export function EditQuery() {
  const { pipelineId } = route.useParams();
  return (
    <OnePipeline kind={QUERY} id={pipelineId} read={readQuery}>
      {(query) => (
        <Page title={`Edit ${query.name}`} about="Another statement is looked at by Spark before it is saved.">
          <QueryForm key={query.version} query={query} />
        </Page>
      )}
    </OnePipeline>
  );
}
