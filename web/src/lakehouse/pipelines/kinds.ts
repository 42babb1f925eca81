/** The kinds of pipelines: what each is called, where its pages are, and where the API has it. */
import {
  IconArrowsExchange,
  IconDatabaseImport,
  IconNotebook,
  IconPackageExport,
  IconSql,
  IconTimeline,
} from "@tabler/icons-react";

interface KindOf<Name extends string, Pages extends string, Resource extends string> {
  name: Name;
  /** What the access tables call one of them. */
  type: "pipeline" | "integration";
  /** Its part of the API's addresses, which is also the first word of what is kept about it. */
  resource: Resource;
  list: `/${Pages}`;
  page: `/${Pages}/$pipelineId`;
  add: `/${Pages}/new`;
  one: string;
  many: string;
  about: string;
  icon: typeof IconSql;
  /** What its runs are called; none: it is kept, and not executed yet. */
  runs?: string;
}

function kind<Name extends string, Pages extends string, Resource extends string>(
  said: KindOf<Name, Pages, Resource>,
): KindOf<Name, Pages, Resource> {
  return said;
}

export const SOURCE = kind({
  name: "source",
  type: "pipeline",
  resource: "sources",
  list: "/sources",
  page: "/sources/$pipelineId",
  add: "/sources/new",
  one: "source",
  many: "Sources",
  about: "Where data comes from, which streams of it are read, and the tables they land in.",
  icon: IconDatabaseImport,
  runs: "sync",
});

export const QUERY = kind({
  name: "query",
  type: "pipeline",
  resource: "pipeline-queries",
  list: "/pipeline-queries",
  page: "/pipeline-queries/$pipelineId",
  add: "/pipeline-queries/new",
  one: "pipeline query",
  many: "Pipeline queries",
  about: "SQL that makes a table of others, with what is expected of its rows.",
  icon: IconSql,
  runs: "pipeline_query",
});

export const HISTORY = kind({
  name: "history",
  type: "pipeline",
  resource: "histories",
  list: "/histories",
  page: "/histories/$pipelineId",
  add: "/histories/new",
  one: "history",
  many: "Histories",
  about: "Every change of a table's rows, kept: what held from when until when.",
  icon: IconTimeline,
  runs: "history",
});

export const DESTINATION = kind({
  name: "destination",
  type: "pipeline",
  resource: "lakehouse-destinations",
  list: "/destinations",
  page: "/destinations/$pipelineId",
  add: "/destinations/new",
  one: "destination",
  many: "Destinations",
  about: "Where a table's rows are sent: a database, a file in a volume, or a web address.",
  icon: IconPackageExport,
  runs: "destination",
});

export const NOTEBOOK = kind({
  name: "notebook",
  type: "pipeline",
  resource: "notebooks",
  list: "/notebooks",
  page: "/notebooks/$pipelineId",
  add: "/notebooks/new",
  one: "notebook",
  many: "Notebooks",
  about: "Notebooks that are kept and shared here; executing them is not possible yet.",
  icon: IconNotebook,
});

export const INTEGRATION = kind({
  name: "integration",
  type: "integration",
  resource: "integrations",
  list: "/integrations",
  page: "/integrations/$pipelineId",
  add: "/integrations/new",
  one: "integration",
  many: "Integrations",
  about: "Integrations that are kept here with their rights; running them is not possible yet.",
  icon: IconArrowsExchange,
});

export const KINDS = [SOURCE, QUERY, HISTORY, DESTINATION, NOTEBOOK, INTEGRATION] as const;
export type Kind = (typeof KINDS)[number];

/** By its own word, or by that of its runs. */
export function kindCalled(word: string | null | undefined): Kind | undefined {
  return KINDS.find((one) => one.name === word || (one.runs !== undefined && one.runs === word));
}

const ON_INTEGRATIONS = "add_edit_activate_trigger_and_delete_integrations";

/** The access tables' word for doing this; integrations have one for all changes. */
export function action(of: Kind, what: "edit" | "activate_or_deactivate" | "trigger" | "delete"): string {
  return of.type === "integration" ? ON_INTEGRATIONS : `${what}_pipelines`;
}

/** “a source”, “an integration”. */
export function withArticle(word: string): string {
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}
