/** A new pipeline query, and one that is changed. */
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../../../components/Page";
import { Trouble } from "../../../components/Trouble";
import { QUERY } from "../kinds";
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
  const found = useQuery({ queryKey: [QUERY.resource, pipelineId], queryFn: () => readQuery(pipelineId) });
  if (found.error) return <Trouble error={found.error} />;
  if (!found.data) return <Skeleton height={320} />;
  return (
    <Page title={`Edit ${found.data.name}`} about="Another statement is looked at by Spark before it is saved.">
      <QueryForm key={found.data.version} query={found.data} />
    </Page>
  );
}
