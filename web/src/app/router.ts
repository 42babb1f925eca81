/** Every address of the app, an area at a time. A page's code is fetched when somebody goes there. */
import { createRouter } from "@tanstack/react-router";
import { accessRoutes } from "../access/routes";
import { auditRoutes } from "../audit/routes";
import { flowRoutes } from "../flow/routes";
import { homeRoutes } from "../home/routes";
import { pipelinesRoutes } from "../lakehouse/pipelines/routes";
import { lakehouseRoutes } from "../lakehouse/routes";
import { sourcesRoutes } from "../lakehouse/sources/routes";
import { sqlRoutes } from "../lakehouse/sql/routes";
import { projectsRoutes } from "../projects/routes";
import { requestsRoutes } from "../requests/routes";
import { runsRoutes } from "../runs/routes";
import { entranceRoutes, tenancyRoutes } from "../tenancy/routes";
import { elsewhere, inside, readSearch, root } from "./inside";

export const router = createRouter({
  routeTree: root.addChildren([
    ...entranceRoutes,
    inside.addChildren([
      ...homeRoutes,
      ...lakehouseRoutes,
      ...sqlRoutes,
      ...flowRoutes,
      ...sourcesRoutes,
      ...pipelinesRoutes,
      ...runsRoutes,
      ...tenancyRoutes,
      ...projectsRoutes,
      ...requestsRoutes,
      ...accessRoutes,
      ...auditRoutes,
      elsewhere,
    ]),
  ]),
  parseSearch: readSearch,
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
