/** Destinations: where rows are sent. */
import { api, take } from "../../../api/client";
import { DESTINATION } from "../kinds";
import { PipelineList } from "../PipelineList";
import { LABELS, type Target } from "./target";

export function Destinations() {
  return (
    <PipelineList
      kind={DESTINATION}
      read={(page) => take(api.GET("/api/v1/lakehouse-destinations", { params: { query: page } }))}
      columns={[
        { name: "Sends", cell: (one) => one.table?.name ?? "a table that is gone" },
        { name: "To", cell: (one) => LABELS[one.target.type as Target["type"]] },
      ]}
      teach="A destination sends a table's rows to a database, a file or a web address, with each run. It takes Editor on the table."
    />
  );
}
