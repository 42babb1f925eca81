/** Choosing the one layer that a list is of. */
import { Select } from "@mantine/core";
import { useLayers } from "./allowed";

interface Props {
  value: string | undefined;
  onChange: (layer: string | undefined) => void;
}

export function LayerFilter({ value, onChange }: Props) {
  const layers = useLayers();
  return (
    <Select
      aria-label="Layer"
      placeholder="All layers"
      clearable
      searchable
      value={value ?? null}
      data={layers.map((one) => ({ value: one.id, label: one.name }))}
      onChange={(layer) => onChange(layer ?? undefined)}
    />
  );
}
