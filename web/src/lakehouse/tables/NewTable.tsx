/** A new, empty table with its columns. A run on Spark makes it. */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, take } from "../../api/client";
import { NewInLayer } from "../NewInLayer";
import { type Column, Columns, EMPTY } from "./Columns";

export function NewTable({ layer }: { layer?: string }) {
  const [columns, setColumns] = useState<readonly Column[]>([{ ...EMPTY, key: 0 }]);
  const navigate = useNavigate();
  return (
    <NewInLayer
      what="table"
      example="orders"
      layer={layer}
      size="xl"
      make={(said) =>
        take(
          api.POST("/api/v1/tables", {
            params: { query: { wait: 30 } },
            body: { ...said, columns: columns.map(({ key: _, ...column }) => column) },
          }),
        )
      }
      onMade={({ table, run_id }) =>
        table
          ? navigate({ to: "/tables/$tableId", params: { tableId: table.id } })
          : navigate({ to: "/runs/$runId", params: { runId: run_id } })
      }
    >
      <Columns value={columns} onChange={setColumns} />
    </NewInLayer>
  );
}
