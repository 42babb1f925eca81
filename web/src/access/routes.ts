/** The address of the access explorer: every question has one of its own. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside, listed, oneOf, word } from "../app/inside";
import type { Change } from "../components/GainAndLoss";
import type { Narrowed } from "../components/narrowing";

export const PARTS = ["tables", "check", "who", "what", "what-if"] as const;

/** What is asked, as it stands in the address. */
export interface Asked extends Narrowed {
  part?: (typeof PARTS)[number];
  member?: string;
  type?: string;
  id?: string;
  action?: string;
  /** What is not stored is described. */
  properties?: Record<string, unknown>;
  /** Which of the tables. */
  table?: string;
  /** Of what-if: what would be different. */
  changes?: Change[];
}

/** A question as it is asked elsewhere: without what a list of answers was narrowed to. */
export const ofItself = ({ search: _, sort: __, ...asked }: Asked): Asked => asked;

const explorer = createRoute({
  getParentRoute: () => inside,
  path: "/access",
  validateSearch: (search: Record<string, unknown>): Asked => ({
    part: oneOf(PARTS, search.part),
    member: word(search.member),
    type: word(search.type),
    id: word(search.id),
    action: word(search.action),
    properties: isObject(search.properties) ? search.properties : undefined,
    table: word(search.table),
    ...listed(search),
    changes: Array.isArray(search.changes) ? search.changes.filter(isChange) : undefined,
  }),
  component: lazyRouteComponent(() => import("./Explorer"), "Explorer"),
});

function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}

/** As far as an address can be trusted; the server looks at the rest. */
function isChange(given: unknown): given is Change {
  return isObject(given) && typeof given.change === "string";
}

export const accessRoutes = [explorer] as const;
