/** What there is to ask about: the types of resources with their actions, and the documents' tables. They never change. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, type Schemas, take } from "../api/client";

export type ResourceType = Schemas["TypeOut"];
export type AccessTable = Schemas["AccessTableOut"];

export const typesQuery = queryOptions({
  queryKey: ["access", "types"],
  queryFn: async () => (await take(api.GET("/api/v1/access/types"))).items,
  staleTime: Number.POSITIVE_INFINITY,
});

export const tablesQuery = queryOptions({
  queryKey: ["access", "tables"],
  queryFn: async () => (await take(api.GET("/api/v1/access/tables"))).items,
  staleTime: Number.POSITIVE_INFINITY,
});

/** “data mart”; “people of a project” for what would otherwise say little. */
export function typeInWords(type: string): string {
  return type === "project_membership" ? "people of a project" : type.replaceAll("_", " ");
}

/** How an action of a type is called in its document; as it is written in addresses, until that is known. */
export function useActionName(): (type: string, action: string) => string {
  const { data: types = [] } = useQuery(typesQuery);
  return (type, action) => {
    const known = types.find((one) => one.name === type)?.actions.find((one) => one.slug === action);
    return known?.name ?? action.replaceAll("_", " ");
  };
}
