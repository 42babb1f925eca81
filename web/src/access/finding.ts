/** Finding what is stored by its name: each type in its own list, which shows what one may see. */
import { api, take } from "../api/client";
import type { Choice } from "../components/FoundSelect";

interface Named {
  id: string;
  name: string;
  full_name?: string;
}

type Find = (search: string) => Promise<Choice[]>;

const LIMIT = 20;

const asFound = ({ items }: { items: readonly Named[] }): Choice[] =>
  items.map((one) => ({ value: one.id, label: one.full_name ?? one.name }));

const query = (search: string) => ({ params: { query: { search: search || undefined, limit: LIMIT } } });

const projects: Find = async (search) => asFound(await take(api.GET("/api/v1/projects", query(search))));

/** Types with a list to choose from. */
export const LISTS: Record<string, Find> = {
  member: async (search) => asFound(await take(api.GET("/api/v1/members", query(search)))),
  group: async (search) => asFound(await take(api.GET("/api/v1/groups", query(search)))),
  project: projects,
  project_membership: projects,
  layer: async (search) => asFound(await take(api.GET("/api/v1/layers", query(search)))),
  table: async (search) => asFound(await take(api.GET("/api/v1/tables", query(search)))),
  volume: async (search) => asFound(await take(api.GET("/api/v1/volumes", query(search)))),
  integration: async (search) => asFound(await take(api.GET("/api/v1/integrations", query(search)))),
  saved_query: async (search) => asFound(await take(api.GET("/api/v1/saved-queries", query(search)))),
  // Each kind of pipeline has its own list, the rights work alike.
  pipeline: async (search) => {
    const lists = await Promise.all([
      take(api.GET("/api/v1/sources", query(search))),
      take(api.GET("/api/v1/pipeline-queries", query(search))),
      take(api.GET("/api/v1/histories", query(search))),
      take(api.GET("/api/v1/lakehouse-destinations", query(search))),
      take(api.GET("/api/v1/notebooks", query(search))),
    ]);
    return lists
      .flatMap(asFound)
      .sort((a, b) => a.label.localeCompare(b.label))
      .slice(0, LIMIT);
  },
};

/** There is one of each, so that nothing has to be chosen. */
export const ONLY = new Set(["tenant", "lakehouse"]);
