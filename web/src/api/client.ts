/** The API, with types from its own OpenAPI document. What goes wrong is thrown as the problem that the server told. */
import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

export type Schemas = components["schemas"];
export type Decision = Schemas["DecisionOut"];

/** What the server says is wrong and what to do about it; of a refusal, the whole decision. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    detail: string,
    readonly requestId = "",
    readonly decision?: Decision,
    readonly fields: readonly { field: string; problem: string; fix: string }[] = [],
  ) {
    super(detail);
  }
}

let csrfToken = "";

/** Only our own page knows this token; the server asks for it with every change, and with whatever starts a run. */
export function rememberCsrfToken(token: string | null): void {
  csrfToken = token ?? "";
}

let looksThrough: { id: string; name: string } | null = null;

/** Whoever views as another member sees everything as they do, and changes nothing. */
export function lookThrough(member: { id: string; name: string } | null): void {
  looksThrough = member;
}

/** What tells the server that our own page asks, and through whose eyes it looks. */
export function ownHeaders(): Record<string, string> {
  return {
    ...(csrfToken ? { "X-CSRF-Token": csrfToken } : {}),
    ...(looksThrough ? { "X-View-As": looksThrough.id } : {}),
  };
}

// What one does as oneself, through whose eyes one may look.
const AS_ONESELF = /^\/api\/v1\/(session|view-as)$/;
const QUESTIONS = /^\/api\/v1\/access\//;

export const api = createClient<paths>({ baseUrl: "", fetch: (request) => fetch(request) });

api.use({
  onRequest({ request }) {
    for (const [name, value] of Object.entries(ownHeaders())) request.headers.set(name, value);
    const { pathname } = new URL(request.url);
    if (AS_ONESELF.test(pathname)) request.headers.delete("X-View-As");
    else if (looksThrough && request.method !== "GET" && !QUESTIONS.test(pathname)) {
      throw new Problem(
        403,
        `You see what ${looksThrough.name} sees, and cannot change or start anything. Stop first.`,
      );
    }
    return request;
  },
  async onResponse({ response }) {
    if (response.ok) return response;
    throw await problemOf(response);
  },
  onError() {
    return new Problem(0, "The server cannot be reached. Check your connection, and try again.");
  },
});

async function problemOf(response: Response): Promise<Problem> {
  return problemFrom(response.status, await response.text());
}

/** The problem that an answer tells of. Programs look through somebody's eyes by a header, and are told of it; who does
 * so in the browser never saw one. */
export function problemFrom(status: number, body: string): Problem {
  const told = read(body);
  if (looksThrough && status === 403 && told.detail?.includes("X-View-As")) {
    told.detail = `You see what ${looksThrough.name} sees, but no rows, no files, and nothing that is theirs alone. Stop first.`;
  }
  return new Problem(
    status,
    told.detail ?? `The server answered ${status}.`,
    told.request_id,
    told.decision,
    told.errors,
  );
}

function read(body: string) {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {};
  }
}

/** The answer itself. */
export async function take<T>(asked: Promise<{ data?: T }>): Promise<T> {
  return (await asked).data as T;
}
