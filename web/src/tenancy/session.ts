/** Who is signed in, and what they may do in the tenant. */
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { api, Problem, rememberCsrfToken, type Schemas, take } from "../api/client";
import { ME, queryClient } from "../api/queries";
import { endViewing, forgetViewing, viewing } from "./viewing";

export type Me = Schemas["ProfileOut"];

// The server, which sees the cookie that no script may read, says whether asking makes sense.
let mayBeSignedIn = document.querySelector<HTMLMetaElement>("meta[name=signed-in]")?.content !== "no";

// Whose session it was when last asked.
let whose: string | null = null;

export const meQuery = queryOptions({
  queryKey: ME,
  queryFn: async () => {
    if (!mayBeSignedIn) throw new Problem(401, "You are not signed in.");
    const [session, me] = await Promise.all([take(api.GET("/api/v1/session")), whoIAm()]);
    if (whose !== null && whose !== session.member_id) return loadAnew();
    whose = session.member_id;
    rememberCsrfToken(session.csrf_token);
    return me;
  },
  staleTime: 60_000,
});

/** Somebody else has signed in, in another tab: nothing here is theirs. */
function loadAnew(): Promise<Me> {
  location.assign("/");
  return new Promise(() => undefined);
}

/** Whoever one looks as, until that is over or no longer allowed. */
async function whoIAm(): Promise<Me> {
  try {
    return await take(api.GET("/api/v1/me"));
  } catch (problem) {
    if (!viewing() || !(problem instanceof Problem) || ![403, 404].includes(problem.status)) throw problem;
    endViewing();
    return new Promise(() => undefined);
  }
}

export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** Whether the tenant lets the caller do this; the app asks no rule of its own. */
export function mayInTenant(me: Me, action: string): boolean {
  return me.tenant.actions.includes(action);
}

/** Without a mail server no link reaches anybody: whoever makes one hands it over. */
export function handsLinksOver(me: Me): boolean {
  return !me.tenant.sends_email;
}

/** Whoever goes leaves nothing behind: the page is loaded anew, and what it kept is gone. */
export function leave(): void {
  void queryClient.cancelQueries();
  sessionStorage.clear();
  location.assign("/sign-in");
}

/** Somebody came: everything known belongs to whoever was here before. */
export function startAnew(): void {
  mayBeSignedIn = true;
  whose = null;
  rememberCsrfToken(null);
  forgetViewing();
  queryClient.clear();
}
