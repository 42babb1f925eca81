/** Going back to a version, followed in whatever part of the table's page one looks at meanwhile. */
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Schemas } from "../../api/client";
import { Following } from "../Following";

export interface Begun {
  runId: string;
  /** The version it goes back to. */
  to: number;
}

export function Restoring({ table, begun: { runId, to } }: { table: Schemas["TableOut"]; begun: Begun }) {
  const cache = useQueryClient();
  const again = useCallback(
    (run: Schemas["RunDetailOut"]) => {
      if (run.state === "succeeded") notifications.show({ message: `${table.full_name} is restored.` });
      void cache.invalidateQueries({ queryKey: ["tables"] });
    },
    [cache, table.full_name],
  );
  return (
    <Following
      key={runId}
      runId={runId}
      doing={`Going back to version ${to}.`}
      done={`The table is again what it was in version ${to}.`}
      onEnd={again}
    />
  );
}
