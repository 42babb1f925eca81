/** Histories: every change of a table's rows, kept. */
import { getRouteApi } from "@tanstack/react-router";
import { api, take } from "../../../api/client";
import { HISTORY } from "../kinds";
import { Output } from "../PipelineFrame";
import { PipelineList } from "../PipelineList";

const route = getRouteApi("/inside/histories");

export function Histories() {
  const narrowed = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PipelineList
      kind={HISTORY}
      read={(page) => take(api.GET("/api/v1/histories", { params: { query: page } }))}
      columns={[
        { name: "Of", cell: (history) => history.table?.name ?? "a table that is gone" },
        { name: "Writes", cell: (history) => <Output pipeline={history} /> },
      ]}
      narrowed={narrowed}
      onNarrow={(search) => navigate({ search, replace: true })}
      teach="A history compares a table with what it was, and keeps what each row said from when until when: prices, addresses, contracts."
    />
  );
}
