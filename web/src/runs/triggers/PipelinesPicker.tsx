/** Choosing pipelines of whatever kind, by name. */
import { MultiSelect } from "@mantine/core";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { choicesOf } from "../../lakehouse/pipelines/common";
import { KINDS } from "../../lakehouse/pipelines/kinds";

interface Props {
  label: string;
  description?: string;
  value: string[];
  onChange: (value: string[]) => void;
  /** Those that are named already, whatever is searched for. */
  known?: readonly { id: string; name: string; kind: string | null }[];
  without?: string;
}

const RUNNING = KINDS.filter((kind) => kind.runs !== undefined);

export function PipelinesPicker({ label, description, value, onChange, known = [], without }: Props) {
  const [search, setSearch] = useState("");
  const [names, setNames] = useState(new Map(known.map((one) => [one.id, one.name])));
  const found = useQueries({
    queries: RUNNING.map((kind) => ({ ...choicesOf(kind, search), placeholderData: keepPreviousData })),
  });
  const groups = RUNNING.map((kind, index) => ({
    group: kind.many,
    items: (found[index]?.data?.items ?? [])
      .filter((one) => one.id !== without)
      .map((one) => ({
        value: one.id,
        label: one.name,
        disabled: found[index]?.isPlaceholderData && !value.includes(one.id), // found for something else
      })),
  }));
  const listed = new Map(groups.flatMap(({ items }) => items.map((one) => [one.value, one.label] as const)));
  const chosen = value.filter((id) => !listed.has(id)).map((id) => ({ value: id, label: names.get(id) ?? "…" }));
  const choose = (ids: string[]) => {
    setNames(new Map(ids.map((id) => [id, listed.get(id) ?? names.get(id) ?? "…"])));
    onChange(ids);
  };
  return (
    <MultiSelect
      label={label}
      description={description}
      placeholder="Type a name"
      searchable
      required
      value={value}
      onChange={choose}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      data={[...(chosen.length ? [{ group: "Chosen", items: chosen }] : []), ...groups]}
      nothingFoundMessage="No pipeline is called so"
    />
  );
}
