/** Addresses of the whole flow. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { anId, inside, type Searched, searched, word } from "../app/inside";

export interface Narrowed extends Searched {
  layer?: string;
  /** A node: what leads to it, and what comes from it. */
  around?: string;
}

const flow = createRoute({
  getParentRoute: () => inside,
  path: "/flow",
  validateSearch: (search: Record<string, unknown>): Narrowed => ({
    ...searched(search),
    layer: anId(search.layer),
    around: word(search.around),
  }),
  component: lazyRouteComponent(() => import("./Flow"), "Flow"),
});

export const flowRoutes = [flow] as const;
