/** The address of the audit: what is looked for is part of it. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { anId, inside, oneOf, word } from "../app/inside";
import { BY_AGE, type ByAge } from "../components/sorting";

export const OUTCOMES = ["done", "refused"] as const;

/** What is looked for, as it stands in the address. Days are the reader's own. */
export interface Sought {
  search?: string;
  actor?: string;
  about?: string;
  action?: string;
  outcome?: (typeof OUTCOMES)[number];
  resource_type?: string;
  resource_id?: string;
  project?: string;
  request_id?: string;
  since?: string;
  until?: string;
  sort?: ByAge;
  /** The entry that is opened. */
  entry?: string;
}

const day = (given: unknown) => (typeof given === "string" && /^\d{4}-\d{2}-\d{2}$/.test(given) ? given : undefined);

const audit = createRoute({
  getParentRoute: () => inside,
  path: "/audit",
  validateSearch: (search: Record<string, unknown>): Sought => ({
    search: word(search.search),
    actor: anId(search.actor),
    about: anId(search.about),
    action: word(search.action),
    outcome: oneOf(OUTCOMES, search.outcome),
    resource_type: word(search.resource_type),
    resource_id: word(search.resource_id),
    project: anId(search.project),
    request_id: word(search.request_id),
    since: day(search.since),
    until: day(search.until),
    sort: oneOf(BY_AGE, search.sort),
    entry: anId(search.entry),
  }),
  component: lazyRouteComponent(() => import("./Audit"), "Audit"),
});

export const auditRoutes = [audit] as const;
