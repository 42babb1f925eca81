/** Destinations: where rows are sent. */
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../../../api/client";
import { DESTINATION } from "../kinds";
import { PipelineList } from "../PipelineList";
import { LABELS, type Target } from "./target";

const route = getRouteApi("/inside/destinations");

export function Destinations() {
  const narrowed = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PipelineList
      kind={DESTINATION}
      read={(page) => take(api.GET("/api/v1/lakehouse-destinations", { params: { query: page } }))}
      columns={[
        { name: "Sends", cell: (one) => one.table?.name ?? "a table that is gone" },
        { name: "To", cell: (one) => LABELS[one.target.type as Target["type"]] },
      ]}
      narrowed={narrowed}
      onNarrow={(search) => navigate({ search, replace: true })}
      teach="A destination sends a table's rows to a database, a file or a web address, with each run. It takes Editor on the table."
    />
  );
}
