/** Sources: where data comes from. */
import { api, take } from "../../api/client";
import { SOURCE } from "../pipelines/kinds";
import { PipelineList } from "../pipelines/PipelineList";
import { labelOf } from "./connection";

export function Sources() {
  return (
    <PipelineList
      kind={SOURCE}
      read={(page) => take(api.GET("/api/v1/sources", { params: { query: page } }))}
      columns={[
        { name: "Reads", cell: (source) => labelOf(source.connection.type) },
        { name: "Lands in", cell: (source) => source.output_layer?.name ?? "–" },
      ]}
      teach="A source reads files, a PostgreSQL database, a web address or other tables, and lands what it finds in tables. It takes Editor on a layer."
    />
  );
}
