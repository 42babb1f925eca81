/** Histories: every change of a table's rows, kept. */
import { api, take } from "../../../api/client";
import { HISTORY } from "../kinds";
import { Output } from "../PipelineFrame";
import { PipelineList } from "../PipelineList";

export function Histories() {
  return (
    <PipelineList
      kind={HISTORY}
      read={(page) => take(api.GET("/api/v1/histories", { params: { query: page } }))}
      columns={[
        { name: "Of", cell: (history) => history.table?.name ?? "a table that is gone" },
        { name: "Writes", cell: (history) => <Output pipeline={history} /> },
      ]}
      teach="A history compares a table with what it was, and keeps what each row said from when until when: prices, addresses, contracts."
    />
  );
}
