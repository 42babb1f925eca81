/** Addresses of pipelines that are not sources: queries, histories, destinations, notebooks and integrations. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { inside, listed } from "../../app/inside";
import { parted } from "./parted";

const queries = createRoute({
  getParentRoute: () => inside,
  path: "/pipeline-queries",
  validateSearch: listed,
  component: lazyRouteComponent(() => import("./queries/Queries"), "Queries"),
});
const newQuery = createRoute({
  getParentRoute: () => inside,
  path: "/pipeline-queries/new",
  component: lazyRouteComponent(() => import("./queries/EditQuery"), "NewQuery"),
});
const query = createRoute({
  getParentRoute: () => inside,
  path: "/pipeline-queries/$pipelineId",
  validateSearch: parted,
  component: lazyRouteComponent(() => import("./queries/QueryPage"), "QueryPage"),
});
const editQuery = createRoute({
  getParentRoute: () => inside,
  path: "/pipeline-queries/$pipelineId/edit",
  component: lazyRouteComponent(() => import("./queries/EditQuery"), "EditQuery"),
});

const histories = createRoute({
  getParentRoute: () => inside,
  path: "/histories",
  validateSearch: listed,
  component: lazyRouteComponent(() => import("./histories/Histories"), "Histories"),
});
const newHistory = createRoute({
  getParentRoute: () => inside,
  path: "/histories/new",
  component: lazyRouteComponent(() => import("./histories/HistoryForm"), "HistoryForm"),
});
const history = createRoute({
  getParentRoute: () => inside,
  path: "/histories/$pipelineId",
  validateSearch: parted,
  component: lazyRouteComponent(() => import("./histories/HistoryPage"), "HistoryPage"),
});
const editHistory = createRoute({
  getParentRoute: () => inside,
  path: "/histories/$pipelineId/edit",
  component: lazyRouteComponent(() => import("./histories/HistoryForm"), "EditHistory"),
});

const destinations = createRoute({
  getParentRoute: () => inside,
  path: "/destinations",
  validateSearch: listed,
  component: lazyRouteComponent(() => import("./destinations/Destinations"), "Destinations"),
});
const newDestination = createRoute({
  getParentRoute: () => inside,
  path: "/destinations/new",
  component: lazyRouteComponent(() => import("./destinations/DestinationForm"), "DestinationForm"),
});
const destination = createRoute({
  getParentRoute: () => inside,
  path: "/destinations/$pipelineId",
  validateSearch: parted,
  component: lazyRouteComponent(() => import("./destinations/DestinationPage"), "DestinationPage"),
});
const editDestination = createRoute({
  getParentRoute: () => inside,
  path: "/destinations/$pipelineId/edit",
  component: lazyRouteComponent(() => import("./destinations/DestinationForm"), "EditDestination"),
});

const notebooks = createRoute({
  getParentRoute: () => inside,
  path: "/notebooks",
  validateSearch: listed,
  component: lazyRouteComponent(() => import("./notebooks/Kept"), "Notebooks"),
});
const newNotebook = createRoute({
  getParentRoute: () => inside,
  path: "/notebooks/new",
  component: lazyRouteComponent(() => import("./notebooks/KeptForms"), "NotebookForm"),
});
const notebook = createRoute({
  getParentRoute: () => inside,
  path: "/notebooks/$pipelineId",
  validateSearch: parted,
  component: lazyRouteComponent(() => import("./notebooks/Kept"), "NotebookPage"),
});
const editNotebook = createRoute({
  getParentRoute: () => inside,
  path: "/notebooks/$pipelineId/edit",
  component: lazyRouteComponent(() => import("./notebooks/KeptForms"), "EditNotebook"),
});

const integrations = createRoute({
  getParentRoute: () => inside,
  path: "/integrations",
  validateSearch: listed,
  component: lazyRouteComponent(() => import("./notebooks/Kept"), "Integrations"),
});
const newIntegration = createRoute({
  getParentRoute: () => inside,
  path: "/integrations/new",
  component: lazyRouteComponent(() => import("./notebooks/KeptForms"), "IntegrationForm"),
});
const integration = createRoute({
  getParentRoute: () => inside,
  path: "/integrations/$pipelineId",
  validateSearch: parted,
  component: lazyRouteComponent(() => import("./notebooks/Kept"), "IntegrationPage"),
});
const editIntegration = createRoute({
  getParentRoute: () => inside,
  path: "/integrations/$pipelineId/edit",
  component: lazyRouteComponent(() => import("./notebooks/KeptForms"), "EditIntegration"),
});

export const pipelinesRoutes = [
  ...[queries, newQuery, query, editQuery],
  ...[histories, newHistory, history, editHistory],
  ...[destinations, newDestination, destination, editDestination],
  ...[notebooks, newNotebook, notebook, editNotebook],
  ...[integrations, newIntegration, integration, editIntegration],
] as const;
