/** The streams of a source; what is chosen about one that was found, and what is sent of it. */
import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, take } from "../../api/client";
import { fittingName } from "../names";
import type { Read } from "./connection";
import type { Found } from "./look";

/** Whether a source has a stream at all, or one that is read. */
export const hasStream = (sourceId: string, enabled?: boolean) =>
  queryOptions({
    queryKey: ["sources", sourceId, "streams", "any", enabled],
    queryFn: () =>
      take(
        api.GET("/api/v1/sources/{pipeline_id}/streams", {
          params: { path: { pipeline_id: sourceId }, query: { enabled, limit: 1 } },
        }),
      ),
    select: ({ items }) => items.length > 0,
  });

export interface Wish {
  mode: "full" | "incremental";
  cursor: string | null;
  keys: string[];
  table: string;
}

export function firstWish(found: Found): Wish {
  return { mode: "full", cursor: null, keys: found.primary_key, table: fittingName(found.name) };
}

/** Whether enough is said: what is read as it grows needs the column that tells, unless files tell by themselves. */
export function isComplete(found: Found, wish: Wish): boolean {
  return wish.table !== "" && (wish.mode === "full" || found.read.type === "files" || wish.cursor !== null);
}

export function streamOf(found: Found, wish: Wish): Schemas["StreamIn"] {
  return {
    name: found.name,
    enabled: true,
    output_name: wish.table,
    settings: {
      read: found.read as unknown as Read,
      mode: wish.mode,
      cursor_column: wish.mode === "incremental" ? wish.cursor : null,
      primary_key: wish.keys,
      only_columns: null,
      types: {},
    },
  };
}
