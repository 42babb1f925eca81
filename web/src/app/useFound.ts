/** What is called so, of everything that one may see. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { inTurn } from "../api/turns";
import { type Found, goesOn, narrow } from "./narrowing";

const KEPT = 10_000; // milliseconds that what was found holds while one types on

/** All there is that fits a text. */
interface Whole {
  sought: string;
  items: readonly Found[];
  at: number;
}

/** Once an answer is all there is, it is narrowed as one types on, and the server is not asked again: that shows at
 * once, however far away the server is. */
export function useFound(sought: string) {
  const [whole, setWhole] = useState<Whole>();
  if (sought === "" && whole !== undefined) setWhole(undefined); // whoever begins anew is answered anew
  const known = whole !== undefined && goesOn(whole.sought, sought) ? whole : undefined;
  const found = useQuery({
    queryKey: ["search", sought],
    queryFn: async ({ signal }) => {
      const at = Date.now();
      const ask = () => take(api.GET("/api/v1/search", { params: { query: { q: sought, limit: 12 } } }));
      const answer = await inTurn("search", signal, ask);
      if (answer.is_all) setWhole({ sought, items: answer.items, at });
      return answer;
    },
    enabled: sought !== "",
    initialData: known && { items: narrow(known.items, sought), is_all: true },
    initialDataUpdatedAt: known?.at,
    staleTime: known ? KEPT : 0,
    placeholderData: keepPreviousData,
  });
  return {
    items: sought === "" ? [] : (found.data?.items ?? []),
    isLooking: sought !== "" && (found.isPending || found.isPlaceholderData),
    isAnswered: sought !== "" && found.isSuccess && !found.isFetching,
    error: sought === "" ? null : found.error,
  };
}
