/** What is decided about the lakehouse as a whole, and so stands in no list of a resource's actions. */
import { useQuery } from "@tanstack/react-query";
import { api, take } from "../api/client";

const THE_LAKEHOUSE = { type: "lakehouse", id: "lakehouse" };

/** Whether one may create layers, and with that rename them; not while nobody knows yet. */
export function useMayCreateLayers(): boolean {
  const answer = useQuery({
    queryKey: ["access", "check", "create_layers", THE_LAKEHOUSE],
    queryFn: () =>
      take(api.POST("/api/v1/access/check", { body: { action: "create_layers", resource: THE_LAKEHOUSE } })),
    staleTime: 60_000,
  });
  return answer.data?.decision.allowed ?? false;
}

/** The layers one may see: to choose from. */
export function useLayers() {
  const layers = useQuery({
    queryKey: ["layers", "choices"],
    queryFn: () => take(api.GET("/api/v1/layers", { params: { query: { limit: 200 } } })),
  });
  return layers.data?.items ?? [];
}
