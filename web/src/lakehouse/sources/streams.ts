/** What is chosen about a stream that was found, and what is sent of it. */
import type { Schemas } from "../../api/client";
import type { Read } from "./connection";
import type { Found } from "./look";

export interface Wish {
  mode: "full" | "incremental";
  cursor: string | null;
  keys: string[];
  table: string;
}

/** The table's name that the server would choose: “Orders 2024.csv” lands in orders_2024_csv. */
export function tableName(stream: string): string {
  const plain = stream
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
  const named = /^[a-z]/.test(plain) ? plain : `t_${plain}`;
  return named.slice(0, 50).replace(/_+$/, "") || "stream";
}

export function firstWish(found: Found): Wish {
  return { mode: "full", cursor: null, keys: found.primary_key, table: tableName(found.name) };
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
