/** Pipeline queries: SQL that makes tables. */
import { api, take } from "../../../api/client";
import { QUERY } from "../kinds";
import { Output } from "../PipelineFrame";
import { PipelineList } from "../PipelineList";

export function Queries() {
  return (
    <PipelineList
      kind={QUERY}
      read={(page) => take(api.GET("/api/v1/pipeline-queries", { params: { query: page } }))}
      columns={[{ name: "Writes", cell: (query) => <Output pipeline={query} /> }]}
      teach="A pipeline query is a SELECT whose rows go into a table, again and again. It takes Editor on the layer it writes to and on what it reads."
    />
  );
}
