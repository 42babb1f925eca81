/** The address of the page about something, by its kind and id. */
import type { LinkProps } from "@tanstack/react-router";
import { KINDS } from "../lakehouse/pipelines/kinds";

export function pageAbout({ type, id }: { type: string; id: string }): Pick<LinkProps, "to" | "params" | "search"> {
  switch (type) {
    case "table":
      return { to: "/tables/$tableId", params: { tableId: id } };
    case "layer":
      return { to: "/layers/$layerId", params: { layerId: id } };
    case "volume":
      return { to: "/volumes/$volumeId", params: { volumeId: id } };
    case "saved_query":
      return { to: "/sql", search: { saved: id } };
    case "project":
      return { to: "/projects/$projectId", params: { projectId: id } };
    case "member":
      return { to: "/members/$memberId", params: { memberId: id } };
    case "group":
      return { to: "/groups/$groupId", params: { groupId: id } };
    default:
      return { to: KINDS.find((kind) => kind.name === type)?.page, params: { pipelineId: id } };
  }
}
