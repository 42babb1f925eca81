/** A history that is added or changed. */
import { Select } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schemas, take } from "../../../api/client";
import { FormFrame } from "../FormFrame";
import { HISTORY } from "../kinds";
import { NameFields } from "../NameFields";
import { OnePipeline } from "../OnePipeline";
import { ColumnsPicker, OutputFields, TablePicker, useColumns } from "../pickers";
import { readHistory } from "./HistoryPage";

const route = getRouteApi("/inside/histories/$pipelineId/edit");

export function EditHistory() {
  const { pipelineId } = route.useParams();
  return (
    <OnePipeline kind={HISTORY} id={pipelineId} read={readHistory}>
      {(history) => <HistoryForm history={history} />}
    </OnePipeline>
  );
}

export function HistoryForm({ history }: { history?: Schemas["HistoryOut"] }) {
  const [said, setSaid] = useState({
    name: history?.name ?? "",
    description: history?.description ?? "",
    table: history?.table?.id ?? null,
    keys: history?.keys ?? [],
    columns: history?.columns ?? [],
    asOf: history?.as_of_column ?? null,
    layer: history?.output_layer?.id ?? null,
    output: history?.output_name ?? "",
  });
  const set = (part: Partial<typeof said>) => setSaid({ ...said, ...part });
  const columns = useColumns(said.table);
  const save = () => {
    const body = {
      name: said.name,
      description: said.description,
      table_id: said.table ?? "",
      keys: said.keys,
      columns: said.columns.length ? said.columns : null,
      as_of_column: said.asOf,
      output_layer_id: said.layer ?? "",
      output_name: said.output,
    };
    if (!history) return take(api.POST("/api/v1/histories", { body }));
    const params = { path: { pipeline_id: history.id }, header: { "If-Match": `"${history.version}"` } };
    return take(api.PATCH("/api/v1/histories/{pipeline_id}", { params, body }));
  };
  return (
    <FormFrame
      kind={HISTORY}
      pipeline={history}
      complete={said.table !== null && said.layer !== null && said.keys.length > 0}
      save={save}
    >
      <NameFields {...said} onChange={set} placeholder="Customers over time" />
      <TablePicker
        label="Of which table"
        name="table_id"
        description="Its rows as they are now are compared with each run."
        required
        value={said.table}
        onChange={(table) => set({ table })}
        known={history?.table ?? null}
      />
      <ColumnsPicker
        label="A row is known by"
        name="keys"
        description="The columns that stay the same while others change."
        required
        columns={columns}
        value={said.keys}
        onChange={(keys) => set({ keys })}
      />
      <ColumnsPicker
        label="Keep changes of"
        name="columns"
        description="All columns if this is empty."
        columns={columns}
        value={said.columns}
        onChange={(value) => set({ columns: value })}
      />
      <Select
        label="Each snapshot is dated by"
        name="as_of_column"
        description="A column that says when a row was seen; when the run starts if this is empty."
        clearable
        searchable
        data={columns}
        value={said.asOf}
        onChange={(asOf) => set({ asOf })}
      />
      <OutputFields
        layer={said.layer}
        onLayer={(layer) => set({ layer })}
        name={said.output}
        onName={(output) => set({ output })}
      />
    </FormFrame>
  );
}
