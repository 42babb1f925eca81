/** The levels that whom a run acts as lacked, as far as one may see on what. */
import { List, Text } from "@mantine/core";
import type { Schemas } from "../api/client";
import { TextLink } from "../components/links";

type Run = Pick<Schemas["RunOut"], "missing" | "hidden" | "acts_as">;
type Lack = Schemas["MissingLevelOut"];

export function Missing({ run }: { run: Run }) {
  return (
    <List size="sm">
      {run.missing.map((lack) => (
        <List.Item key={lack.resource_id}>
          It takes <b>{lack.needs}</b> on {lack.resource_type} <Where lack={lack} />; {run.acts_as.name} has{" "}
          {lack.has === "none" ? "no level" : lack.has} there.
        </List.Item>
      ))}
      {run.hidden > 0 && (
        <List.Item>
          <Text size="sm">
            {run.missing.length > 0 ? "And on" : "On"} {run.hidden} more that you may not see.
          </Text>
        </List.Item>
      )}
    </List>
  );
}

function Where({ lack }: { lack: Lack }) {
  if (lack.resource_type !== "table") return <b>{lack.name}</b>;
  return (
    <TextLink
      to="/tables/$tableId"
      params={{ tableId: lack.resource_id }}
      c="inherit"
      fw={600}
      size="sm"
      underline="always"
    >
      {lack.name}
    </TextLink>
  );
}
