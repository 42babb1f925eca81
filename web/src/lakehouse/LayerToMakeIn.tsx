/** Choosing the layer that something new will lie in. */
import { Select } from "@mantine/core";
import type { Schemas } from "../api/client";
import { useLayers } from "./allowed";

type Layer = Schemas["LayerOut"];

/** Those where one may make tables and volumes: of all, or only the one that is asked about. */
export function useLayersToMakeIn(only: string | undefined): Layer[] {
  return useLayers().filter(
    (layer) => layer.actions.includes("create_tables_and_volumes") && (only === undefined || layer.id === only),
  );
}

interface Props {
  choices: readonly Layer[];
  value: string | null;
  onChange: (layer: string | null) => void;
}

export function LayerToMakeIn({ choices, value, onChange }: Props) {
  return (
    <Select
      label="Layer"
      required
      allowDeselect={false}
      searchable={choices.length > 8}
      disabled={choices.length === 1}
      data={choices.map((layer) => ({ value: layer.id, label: layer.name }))}
      value={value}
      onChange={onChange}
    />
  );
}
