/** Some of what the palette offers, under a name. */
import { Spotlight } from "@mantine/spotlight";
import type { IconSearch } from "@tabler/icons-react";

export interface Action {
  id: string;
  label: string;
  description: string;
  icon: typeof IconSearch;
  go: () => void;
}

interface Props {
  name: string;
  actions: readonly Action[];
  /** Found for what was typed before: to be seen, not to be taken. Or of a place that shows once the answer is there:
   * until then the keys pass it by. */
  state?: "past" | "later";
}

// Only if it lasts: between two keys nothing flickers.
const FAINT = { opacity: 0.5, transition: "opacity 0s 150ms" };

export function PaletteGroup({ name, actions, state }: Props) {
  if (actions.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label={name}>
      {actions.map(({ id, label, description, icon: Icon, go }) => (
        <Spotlight.Action
          key={id}
          label={label}
          description={description}
          leftSection={<Icon size={18} stroke={1.6} />}
          onClick={go}
          highlightQuery
          disabled={state === "past"}
          data-action={state === undefined ? true : undefined}
          style={state === "past" ? FAINT : undefined}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}
