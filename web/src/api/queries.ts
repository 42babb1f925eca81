/** How answers are kept: shown at once where they are known, and asked for again, since rights and data change. */
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryCache,
  QueryClient,
} from "@tanstack/react-query";
import { Problem } from "./client";

/** Who is signed in; everything else that is kept is as that person sees it. */
export const ME = ["me"] as const;
const ENTRANCES = new Set(["/sign-in", "/join", "/reset-password"]);

/** After a change, a first answer that is still on its way may be from before it: it is asked for once more. */
export class Client extends QueryClient {
  override async invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    const { predicate, ...named } = filters ?? {};
    await this.cancelQueries({
      ...named,
      predicate: (query) => query.isActive() && query.state.data === undefined && (predicate?.(query) ?? true),
    });
    await super.invalidateQueries(filters, options);
  }
}

export const queryClient = new Client({
  queryCache: new QueryCache({
    onError: (problem, query) => {
      // What one may no longer see is not left standing there from before.
      if (is(problem, 403, 404)) query.setState({ data: undefined });
      if (query.queryKey[0] !== ME[0]) lookAgain(problem);
    },
  }),
  mutationCache: new MutationCache({
    onError: (problem) => {
      lookAgain(problem);
      // Somebody else was quicker: what is shown is what there is now.
      if (is(problem, 409, 412)) void queryClient.invalidateQueries();
    },
  }),
  defaultOptions: {
    queries: {
      // What the server refused it refuses again; what did not reach it may reach it now.
      retry: (failures, error) => failures < 2 && is(error, 0, 503),
    },
  },
});

/** The session may have ended, or be somebody else's by now: nothing of before is for whoever is here then. */
function lookAgain(problem: Error): void {
  if (is(problem, 401) && queryClient.getQueryData(ME) && !ENTRANCES.has(location.pathname)) {
    location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
  }
  if (is(problem, 403)) void queryClient.invalidateQueries({ queryKey: ME });
}

function is(problem: Error, ...statuses: number[]): boolean {
  return problem instanceof Problem && statuses.includes(problem.status);
}
