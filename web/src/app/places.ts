/** Where one can go from anywhere: the pages in the bar at the side, and in the palette. */
import {
  IconArrowsExchange,
  IconBriefcase,
  IconClock,
  IconDatabase,
  IconDatabaseImport,
  IconFolders,
  IconHistory,
  IconHome,
  IconMailQuestion,
  IconNotebook,
  IconPackageExport,
  IconPlayerPlay,
  IconRoute,
  IconScale,
  IconSettings,
  IconSql,
  IconStack2,
  IconTerminal2,
  IconTimeline,
  IconUsers,
  IconUsersGroup,
} from "@tabler/icons-react";
import type { LinkProps } from "@tanstack/react-router";
import { type Me, mayInTenant } from "../tenancy/session";

export interface Place {
  to: NonNullable<LinkProps["to"]>;
  name: string;
  icon: typeof IconHome;
  under: "" | "Data" | "Pipelines" | "People" | "Oversight";
  /** What one may do in the tenant, for whom there is something to see. */
  needs?: string;
}

const PLACES: readonly Place[] = [
  { to: "/", name: "Home", icon: IconHome, under: "" },
  { to: "/layers", name: "Layers", icon: IconStack2, under: "Data" },
  { to: "/tables", name: "Tables", icon: IconDatabase, under: "Data" },
  { to: "/sql", name: "SQL", icon: IconTerminal2, under: "Data" },
  { to: "/volumes", name: "Volumes", icon: IconFolders, under: "Data" },
  { to: "/flow", name: "Flow", icon: IconRoute, under: "Pipelines" },
  { to: "/sources", name: "Sources", icon: IconDatabaseImport, under: "Pipelines" },
  { to: "/pipeline-queries", name: "Pipeline queries", icon: IconSql, under: "Pipelines" },
  { to: "/histories", name: "Histories", icon: IconTimeline, under: "Pipelines" },
  { to: "/destinations", name: "Destinations", icon: IconPackageExport, under: "Pipelines" },
  { to: "/notebooks", name: "Notebooks", icon: IconNotebook, under: "Pipelines" },
  { to: "/integrations", name: "Integrations", icon: IconArrowsExchange, under: "Pipelines" },
  { to: "/triggers", name: "Triggers", icon: IconClock, under: "Pipelines" },
  { to: "/runs", name: "Runs", icon: IconPlayerPlay, under: "Pipelines" },
  { to: "/requests", name: "Requests", icon: IconMailQuestion, under: "People" },
  { to: "/projects", name: "Projects", icon: IconBriefcase, under: "People" },
  { to: "/groups", name: "Groups", icon: IconUsersGroup, under: "People" },
  { to: "/members", name: "Members", icon: IconUsers, under: "People", needs: "see_members" },
  { to: "/settings", name: "Settings", icon: IconSettings, under: "People", needs: "see_settings" },
  { to: "/access", name: "Access", icon: IconScale, under: "Oversight" },
  { to: "/audit", name: "Audit", icon: IconHistory, under: "Oversight" },
];

export function placesFor(me: Me): Place[] {
  return PLACES.filter((place) => !place.needs || mayInTenant(me, place.needs));
}

/** The place that an address lies in: a table's page in the tables. */
export function placeOf(places: readonly Place[], pathname: string): Place | undefined {
  return places.find((place) => pathname === place.to || (place.to !== "/" && pathname.startsWith(`${place.to}/`)));
}
