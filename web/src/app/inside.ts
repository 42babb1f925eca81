/** What every address of the app hangs on, and what the addresses of all areas have in common. */
import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  parseSearchWith,
  redirect,
} from "@tanstack/react-router";
import { Problem } from "../api/client";
import { queryClient } from "../api/queries";
import type { Narrowed } from "../components/narrowing";
import { NotFound, Trouble } from "../components/Trouble";
import { meQuery } from "../tenancy/session";

export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: Trouble });

/** The pages of those who are signed in; others are asked who they are first, and then sent on. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(meQuery);
    } catch (problem) {
      if (problem instanceof Problem && problem.status === 401) {
        throw redirect({ to: "/sign-in", search: { to: location.href } });
      }
      throw problem;
    }
  },
  component: lazyRouteComponent(() => import("./Shell"), "Shell"),
});

/** Any other address: said inside the frame, so that one can go on from there. */
export const elsewhere = createRoute({ getParentRoute: () => inside, path: "$", component: NotFound });

export interface Searched {
  search?: string;
}

/** A list's search, as it stands in the address. */
export const searched = (search: Record<string, unknown>): Searched => ({ search: word(search.search) });

/** A list's search and its order, as they stand in the address. */
export const listed = (search: Record<string, unknown>): Narrowed => ({ ...searched(search), sort: word(search.sort) });

/** A word of the address, or nothing; without what nobody sees in it, and no list looks for. `2026` is one, too. */
export function word(given: unknown): string | undefined {
  if (typeof given === "number" || typeof given === "boolean") return String(given);
  return typeof given === "string" ? given.replaceAll(/\p{Cc}/gu, "") || undefined : undefined;
}

/** What an address says, with words left as they are written: `1.10` is not `1.1`. */
export const readSearch = parseSearchWith((text) => (/^["[{]/.test(text) ? JSON.parse(text) : text));

/** An id of the address, or nothing: what is none narrows nothing. */
export function anId(given: unknown): string | undefined {
  return typeof given === "string" && /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(given) ? given : undefined;
}

/** Those of the words that are known, be it one alone: `?state=failed`; or nothing. */
export function someOf<Word extends string>(known: readonly Word[], given: unknown): Word[] | undefined {
  const words: unknown[] = Array.isArray(given) ? given : [given];
  const found = known.filter((one) => words.includes(one));
  return found.length > 0 ? found : undefined;
}

/** One of the words that are known, or nothing. */
export function oneOf<Word extends string>(known: readonly Word[], given: unknown): Word | undefined {
  return known.find((one) => one === given);
}
