/** Where a destination can send rows, and what one begins with. */
import type { Schemas } from "../../../api/client";

export type Destination = Schemas["DestinationOut"];
export type Target = Schemas["NewDestination"]["target"];

export const FRESH: Record<Target["type"], Target> = {
  file: { type: "file", volume_id: "", path: "", format: "csv", escape_formulas: true },
  postgresql: {
    type: "postgresql",
    host: "",
    port: 5432,
    database: "",
    user: "",
    encryption: "prefer",
    schema: "public",
    table: "",
    mode: "append",
    keys: [],
  },
  webhook: {
    type: "webhook",
    url: "",
    headers: {},
    authentication: "none",
    user: null,
    header: null,
    most_megabytes: 500,
    batch_rows: 1000,
  },
};

export const LABELS: Record<Target["type"], string> = {
  file: "A file in a volume",
  postgresql: "A table in PostgreSQL",
  webhook: "A web address",
};

/** Where it sends to, in a line. The API keeps it as it was said. */
export function sendsTo(target: Target): string {
  switch (target.type) {
    case "file":
      return `${target.path} (${target.format})`;
    case "postgresql":
      return `${target.schema}.${target.table} in ${target.database} on ${target.host}`;
    case "webhook":
      return target.url;
  }
}
