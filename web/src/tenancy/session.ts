/** Who is signed in, and what they may do in the tenant. */
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { api, Problem, rememberCsrfToken, type Schemas, take } from "../api/client";
import { queryClient } from "../api/queries";
import { forgetViewing, viewing } from "./viewing";

export type Me = Schemas["ProfileOut"];

// The server, which sees the cookie that no script may read, says whether asking makes sense.
let mayBeSignedIn = document.querySelector<HTMLMetaElement>("meta[name=signed-in]")?.content !== "no";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async () => {
    if (!mayBeSignedIn) throw new Problem(401, "You are not signed in.");
    const [session, me] = await Promise.all([take(api.GET("/api/v1/session")), whoIAm()]);
    rememberCsrfToken(session.csrf_token);
    return me;
  },
  staleTime: 60_000,
});

/** Whoever one looks as; where that is over, or no longer allowed, it is oneself again. */
async function whoIAm(): Promise<Me> {
  try {
    return await take(api.GET("/api/v1/me"));
  } catch (problem) {
    if (!viewing() || !(problem instanceof Problem) || ![403, 404].includes(problem.status)) throw problem;
    forgetViewing();
    return take(api.GET("/api/v1/me"));
  }
}

export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** Whether the tenant lets the caller do this; the app asks no rule of its own. */
export function mayInTenant(me: Me, action: string): boolean {
  return me.tenant.actions.includes(action);
}

/** Whoever comes or goes: everything known belongs to whoever was here before. */
export function startAnew(signedIn: boolean): void {
  mayBeSignedIn = signedIn;
  rememberCsrfToken(null);
  forgetViewing();
  queryClient.clear();
}
