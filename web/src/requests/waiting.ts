/** How many requests wait for one's decision: for the badge beside “Requests”, and for the home page. */
import { queryOptions } from "@tanstack/react-query";
import { api, take } from "../api/client";

export const waitingForMeQuery = queryOptions({
  queryKey: ["access-requests", "waiting-for-me", "count"],
  queryFn: () => take(api.GET("/api/v1/access-requests/waiting-for-me/count")),
  refetchInterval: 60_000,
});
