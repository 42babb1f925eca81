/** Every address of the app, an area at a time. A page's code is fetched when somebody goes there. */
import { createRouter } from "@tanstack/react-router";
import { homeRoutes } from "../home/routes";
import { lakehouseRoutes } from "../lakehouse/routes";
import { requestsRoutes } from "../requests/routes";
import { runsRoutes } from "../runs/routes";
import { entranceRoutes, tenancyRoutes } from "../tenancy/routes";
import { inside, root } from "./inside";

export const router = createRouter({
  routeTree: root.addChildren([
    ...entranceRoutes,
    inside.addChildren([...homeRoutes, ...lakehouseRoutes, ...runsRoutes, ...tenancyRoutes, ...requestsRoutes]),
  ]),
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
