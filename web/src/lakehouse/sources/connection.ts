/** Where a source can point to, and what one begins with. */
import { IconApi, IconDatabase, IconFiles, IconTable } from "@tabler/icons-react";
import type { Schemas } from "../../api/client";

export type Source = Schemas["SourceOut"];
export type Connection = Schemas["NewSource"]["connection"];
export type Stream = Schemas["StreamOut"];
export type StreamSettings = Schemas["StreamSettings"];
export type Read = StreamSettings["read"];
type Type = Connection["type"];

interface Choice {
  type: Type;
  label: string;
  teaches: string;
  icon: typeof IconFiles;
  fresh: Connection;
}

export const CHOICES: readonly Choice[] = [
  {
    type: "files",
    label: "Files",
    teaches: "CSV, JSON lines, Parquet or Excel, in a volume or a folder of the server.",
    icon: IconFiles,
    fresh: {
      type: "files",
      volume_id: null,
      folder: null,
      format: "csv",
      delimiter: ",",
      quote: '"',
      header: true,
      encoding: "utf-8",
      sheet: null,
    },
  },
  {
    type: "postgresql",
    label: "PostgreSQL",
    teaches: "Tables of a database, in full or only what is new.",
    icon: IconDatabase,
    fresh: { type: "postgresql", host: "", port: 5432, database: "", user: "", encryption: "prefer" },
  },
  {
    type: "http",
    label: "A web address",
    teaches: "JSON from an API, page by page.",
    icon: IconApi,
    fresh: {
      type: "http",
      url: "",
      headers: {},
      authentication: "none",
      user: null,
      header: null,
      most_megabytes: 500,
    },
  },
  {
    type: "table",
    label: "Tables",
    teaches: "Other tables of the lakehouse, copied to where they are needed.",
    icon: IconTable,
    fresh: { type: "table" },
  },
];

export function labelOf(type: Type): string {
  return CHOICES.find((one) => one.type === type)?.label ?? type;
}

/** Where it points, in a line: “orders on db.example.com:5432”. */
export function pointsTo(connection: Connection): string {
  switch (connection.type) {
    case "files":
      return `${connection.format.replaceAll("_", " ")} in ${connection.folder ?? "a volume"}`;
    case "postgresql":
      return `${connection.database} on ${connection.host}:${connection.port}`;
    case "http":
      return connection.url;
    case "table":
      return "tables of the lakehouse";
  }
}

const FORMATS = {
  csv: "csv",
  parquet: "parquet",
  xlsx: "excel",
  json: "json_lines",
  jsonl: "json_lines",
  ndjson: "json_lines",
} as const;

/** How a file is written, as far as its name tells. */
export function formatOf(name: string): (typeof FORMATS)[keyof typeof FORMATS] | undefined {
  const ending = name.toLowerCase().split(".").at(-1) ?? "";
  return ending in FORMATS ? FORMATS[ending as keyof typeof FORMATS] : undefined;
}

/** How a stream of this source is read, before anything is said about it. */
export function freshRead(type: Type): Read {
  switch (type) {
    case "files":
      return { type: "files", pattern: "" };
    case "postgresql":
      return { type: "postgresql", schema: "public", table: "", partition_column: null, partitions: 4 };
    case "http":
      return {
        type: "http",
        path: "",
        query: {},
        records: "",
        pagination: { kind: "none", size: 100, first: 1 },
        since_parameter: null,
      };
    case "table":
      return { type: "table", table_id: "" };
  }
}

/** What a stream reads, in a line. */
export function readsWhat(read: Read): string {
  switch (read.type) {
    case "files":
      return read.pattern;
    case "postgresql":
      return `${read.schema}.${read.table}`;
    case "http":
      return `/${read.path.replace(/^\//, "")}`;
    case "table":
      return "a table of the lakehouse";
  }
}
