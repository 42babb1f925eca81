/** Where one can go from anywhere: the pages in the bar at the side, and in the palette. */
import { IconDatabase, IconHome, IconMailQuestion, IconPlayerPlay, IconStack2, IconUsers } from "@tabler/icons-react";
import type { LinkProps } from "@tanstack/react-router";
import { type Me, mayInTenant } from "../tenancy/session";

export interface Place {
  to: NonNullable<LinkProps["to"]>;
  name: string;
  icon: typeof IconHome;
  under: "" | "Data" | "Pipelines" | "People" | "Oversight";
}

export function placesFor(me: Me): Place[] {
  const places: (Place | false)[] = [
    { to: "/", name: "Home", icon: IconHome, under: "" },
    { to: "/layers", name: "Layers", icon: IconStack2, under: "Data" },
    { to: "/tables", name: "Tables", icon: IconDatabase, under: "Data" },
    { to: "/runs", name: "Runs", icon: IconPlayerPlay, under: "Pipelines" },
    { to: "/requests", name: "Requests", icon: IconMailQuestion, under: "People" },
    mayInTenant(me, "see_members") && { to: "/members", name: "Members", icon: IconUsers, under: "People" },
  ];
  return places.filter((place) => place !== false);
}
