/** What is called so, of everything that one may see. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, take } from "../api/client";
import { inTurn } from "../api/turns";
import { type Found, goesOn, narrow } from "./narrowing";

const KEPT = 10_000; // milliseconds: while somebody types, nobody waits to be found

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
  const isKnown = whole !== undefined && Date.now() - whole.at < KEPT && goesOn(whole.sought, sought);
  const asked = useQuery({
    queryKey: ["search", sought],
    queryFn: async ({ signal }) => {
      const ask = () => take(api.GET("/api/v1/search", { params: { query: { q: sought, limit: 12 } } }));
      const answer = await inTurn("search", signal, ask);
      if (answer.is_all) setWhole({ sought, items: answer.items, at: Date.now() });
      return answer;
    },
    enabled: sought !== "" && !isKnown,
    placeholderData: keepPreviousData,
  });
  if (sought === "") return { items: [], isLooking: false, isAnswered: false, error: null };
  if (isKnown) return { items: narrow(whole.items, sought), isLooking: false, isAnswered: true, error: null };
  return {
    items: asked.data?.items ?? [],
    isLooking: asked.isPending || asked.isPlaceholderData,
    isAnswered: asked.isSuccess && !asked.isFetching,
    error: asked.error,
  };
}
