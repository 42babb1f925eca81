/** Pipeline queries: SQL that makes tables. */
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../../../api/client";
import { QUERY } from "../kinds";
import { Output } from "../PipelineFrame";
import { PipelineList } from "../PipelineList";

const route = getRouteApi("/inside/pipeline-queries");

export function Queries() {
  const narrowed = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PipelineList
      kind={QUERY}
      read={(page) => take(api.GET("/api/v1/pipeline-queries", { params: { query: page } }))}
      columns={[{ name: "Writes", cell: (query) => <Output pipeline={query} /> }]}
      narrowed={narrowed}
      onNarrow={(search) => navigate({ search, replace: true })}
      teach="A pipeline query is a SELECT whose rows go into a table, again and again. It takes Editor on the layer it writes to and on what it reads."
    />
  );
}
