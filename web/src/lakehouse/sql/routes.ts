/** The address of the SQL editor: what is open in it, and how its result is shown. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { anId, inside, oneOf, type Searched, searched } from "../../app/inside";
import { type Choice, readChoice } from "./chart/choice";

export const SIDES = ["tables", "saved", "history"] as const;
export type SideName = (typeof SIDES)[number];

export interface SqlSearch extends Searched {
  /** A saved query that is open. */
  saved?: string;
  /** A query that was asked, whose result is shown. */
  query?: string;
  /** Where it is not said, a saved query is shown as it was saved, and anything else as rows. */
  show?: "rows" | "chart";
  chart?: Partial<Choice>;
  side?: SideName;
}

const sql = createRoute({
  getParentRoute: () => inside,
  path: "/sql",
  validateSearch: (search: Record<string, unknown>): SqlSearch => ({
    ...searched(search),
    saved: anId(search.saved),
    query: anId(search.query),
    show: oneOf(["rows", "chart"] as const, search.show),
    chart: readChoice(search.chart),
    side: oneOf(SIDES, search.side),
  }),
  component: lazyRouteComponent(() => import("./SqlPage"), "SqlPage"),
});

export const sqlRoutes = [sql] as const;
