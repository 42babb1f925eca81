/** A notebook or an integration that is added or changed. */
import { MultiSelect, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schemas, take } from "../../../api/client";
import { FormFrame } from "../FormFrame";
import { INTEGRATION, NOTEBOOK } from "../kinds";
import { NameFields } from "../NameFields";
import { OnePipeline } from "../OnePipeline";
import { inLines, pairsOf } from "../pairs";
import { OutputFields, tableChoices } from "../pickers";
import { readIntegration, readNotebook } from "./Kept";

type Notebook = Schemas["NotebookOut"];
type Integration = Schemas["IntegrationOut"];

const notebookRoute = getRouteApi("/inside/notebooks/$pipelineId/edit");
const integrationRoute = getRouteApi("/inside/integrations/$pipelineId/edit");

export function EditNotebook() {
  return (
    <OnePipeline kind={NOTEBOOK} id={notebookRoute.useParams().pipelineId} read={readNotebook}>
      {(one) => <NotebookForm one={one} />}
    </OnePipeline>
  );
}

export function EditIntegration() {
  return (
    <OnePipeline kind={INTEGRATION} id={integrationRoute.useParams().pipelineId} read={readIntegration}>
      {(one) => <IntegrationForm one={one} />}
    </OnePipeline>
  );
}

function useSaid(one: Notebook | Integration | undefined, text: string) {
  const [said, setSaid] = useState({
    name: one?.name ?? "",
    description: one?.description ?? "",
    text,
    inputs: one?.inputs.map((table) => table.id) ?? [],
    layer: one?.output_layer?.id ?? null,
    output: one?.output_name ?? "",
  });
  const body = {
    name: said.name,
    description: said.description,
    input_table_ids: said.inputs,
    output_layer_id: said.layer ?? "",
    output_name: said.output || null,
  };
  return { said, body, set: (part: Partial<typeof said>) => setSaid({ ...said, ...part }) };
}

export function NotebookForm({ one }: { one?: Notebook }) {
  const { said, body, set } = useSaid(one, one?.content ?? "");
  const save = () => {
    if (!one) return take(api.POST("/api/v1/notebooks", { body: { ...body, content: said.text } }));
    const params = { path: { pipeline_id: one.id }, header: { "If-Match": `"${one.version}"` } };
    return take(api.PATCH("/api/v1/notebooks/{pipeline_id}", { params, body: { ...body, content: said.text } }));
  };
  return (
    <FormFrame kind={NOTEBOOK} pipeline={one} complete={said.layer !== null} save={save}>
      <NameFields {...said} onChange={set} placeholder="Exploring returns" />
      <Textarea
        label="The notebook"
        name="content"
        description="It is kept, and not executed yet."
        autosize
        minRows={8}
        maxRows={24}
        spellCheck={false}
        value={said.text}
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
      <InAndOut said={said} set={set} known={one?.inputs ?? []} />
    </FormFrame>
  );
}

export function IntegrationForm({ one }: { one?: Integration }) {
  const { said, body, set } = useSaid(one, inLines(one?.settings ?? {}));
  const save = () => {
    const full = { ...body, settings: pairsOf(said.text) };
    if (!one) return take(api.POST("/api/v1/integrations", { body: full }));
    const params = { path: { pipeline_id: one.id }, header: { "If-Match": `"${one.version}"` } };
    return take(api.PATCH("/api/v1/integrations/{pipeline_id}", { params, body: full }));
  };
  return (
    <FormFrame kind={INTEGRATION} pipeline={one} complete={said.layer !== null} save={save}>
      <NameFields {...said} onChange={set} placeholder="Campaign tool" />
      <Textarea
        label="Settings"
        name="settings"
        description="One to a line, such as region: north. No secrets: whoever sees it sees these."
        autosize
        minRows={3}
        value={said.text}
        onChange={(event) => set({ text: event.currentTarget.value })}
      />
      <InAndOut said={said} set={set} known={one?.inputs ?? []} />
    </FormFrame>
  );
}

interface InAndOutProps {
  said: { inputs: string[]; layer: string | null; output: string };
  set: (part: { inputs?: string[]; layer?: string | null; output?: string }) => void;
  known: readonly { id: string; name: string }[];
}

function InAndOut({ said, set, known }: InAndOutProps) {
  const [typed, setTyped] = useState("");
  const [names, setNames] = useState(new Map(known.map((table) => [table.id, table.name])));
  const found = useQuery(tableChoices(typed));
  const all = new Map([...names, ...(found.data ?? []).map(({ value, label }) => [value, label] as const)]);
  const choose = (inputs: string[]) => {
    setNames(new Map(inputs.map((id) => [id, all.get(id) ?? "…"])));
    set({ inputs });
  };
  return (
    <>
      <MultiSelect
        label="Tables it reads"
        description="Whoever sees all of these, and what it writes, sees it."
        searchable
        onSearchChange={setTyped}
        filter={({ options }) => options}
        data={[...all].map(([value, label]) => ({
          value,
          label,
          disabled: found.isPlaceholderData && !said.inputs.includes(value), // found for something else
        }))}
        value={said.inputs}
        onChange={choose}
      />
      <OutputFields
        layer={said.layer}
        onLayer={(layer) => set({ layer })}
        name={said.output}
        onName={(output) => set({ output })}
        needsName={false}
      />
    </>
  );
}
