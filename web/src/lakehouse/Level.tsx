/** One's own level on a layer, table or volume. */
import { Badge, Text } from "@mantine/core";

const COLOURS = { Viewer: "gray", Editor: "petrol", Manager: "petrol" } as const;

interface Reached {
  level: "none" | keyof typeof COLOURS;
  actions: string[];
  /** Of a layer: one sees it because of a level on something in it, and holds none on the layer. */
  in_part?: boolean;
}

export function Level({ on }: { on: Reached }) {
  // Those whom levels do not hold back are the only ones who may also change Managers; whatever they were given besides.
  if (on.actions.includes("manage_users_manager")) return <Said>everything, by your role</Said>;
  if (on.in_part)
    return <Said title="You have a level on something in it, and none on the layer.">only on some of it</Said>;
  if (on.level === "none") return <Said>none</Said>;
  return (
    <Badge variant={on.level === "Manager" ? "filled" : "light"} color={COLOURS[on.level]}>
      {on.level}
    </Badge>
  );
}

function Said({ title, children }: { title?: string; children: string }) {
  return (
    <Text size="sm" c="dimmed" title={title}>
      {children}
    </Text>
  );
}
