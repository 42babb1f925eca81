/** A destination that is added or changed. */
import { Select } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../../../api/client";
import { FormFrame } from "../FormFrame";
import { DESTINATION } from "../kinds";
import { NameFields } from "../NameFields";
import { OnePipeline } from "../OnePipeline";
import { ColumnsPicker, TablePicker, useColumns } from "../pickers";
import { SecretField } from "../SecretField";
import { secretOf } from "../secrets";
import { readDestination } from "./DestinationPage";
import { TargetFields } from "./TargetFields";
import { type Destination, FRESH, LABELS, type Target } from "./target";

const route = getRouteApi("/inside/destinations/$pipelineId/edit");
const TYPES = Object.entries(LABELS).map(([value, label]) => ({ value, label }));

export function EditDestination() {
  const { pipelineId } = route.useParams();
  return (
    <OnePipeline kind={DESTINATION} id={pipelineId} read={readDestination}>
      {(destination) => <DestinationForm destination={destination} />}
    </OnePipeline>
  );
}

export function DestinationForm({ destination }: { destination?: Destination }) {
  const [said, setSaid] = useState({
    name: destination?.name ?? "",
    description: destination?.description ?? "",
    table: destination?.table?.id ?? null,
    columns: destination?.columns ?? [],
    target: (destination?.target as Target | undefined) ?? FRESH.file,
    secret: "",
  });
  const set = (part: Partial<typeof said>) => setSaid({ ...said, ...part });
  const columns = useColumns(said.table);
  const secret = secretOf(said.target);
  const save = () => {
    const body = {
      name: said.name,
      description: said.description,
      table_id: said.table ?? "",
      columns: said.columns.length ? said.columns : null,
      target: said.target,
      ...(said.secret ? { secret: said.secret } : {}),
    };
    if (!destination) return take(api.POST("/api/v1/lakehouse-destinations", { body }));
    const params = { path: { pipeline_id: destination.id }, header: { "If-Match": `"${destination.version}"` } };
    return take(api.PATCH("/api/v1/lakehouse-destinations/{pipeline_id}", { params, body }));
  };
  return (
    <FormFrame kind={DESTINATION} pipeline={destination} complete={said.table !== null} save={save}>
      <NameFields {...said} onChange={set} placeholder="Totals to the shop" />
      <TablePicker
        label="Which table"
        name="table_id"
        description="Its rows go out as they are when it runs. It takes Editor on it."
        required
        value={said.table}
        onChange={(table) => set({ table })}
        known={destination?.table ?? null}
      />
      <ColumnsPicker
        label="Which columns"
        name="columns"
        description="All of them if this is empty."
        columns={columns}
        value={said.columns}
        onChange={(value) => set({ columns: value })}
      />
      <Select
        label="Where to"
        data={TYPES}
        value={said.target.type}
        onChange={(type) => set({ target: FRESH[(type ?? "file") as Target["type"]] })}
        allowDeselect={false}
      />
      <TargetFields
        key={said.target.type}
        target={said.target}
        onChange={(target) => set({ target })}
        columns={columns}
      />
      {secret && (
        <SecretField
          label={secret}
          value={said.secret}
          onChange={(value) => set({ secret: value })}
          kept={destination?.has_secret ?? false}
        />
      )}
    </FormFrame>
  );
}
