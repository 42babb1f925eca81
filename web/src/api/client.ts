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

const CHANGES = new Set(["POST", "PUT", "PATCH", "DELETE"]);
let csrfToken = "";

/** Only our own page knows this token; the server asks for it with every change. */
export function rememberCsrfToken(token: string | null): void {
  csrfToken = token ?? "";
}

export const api = createClient<paths>({ baseUrl: "", fetch: (request) => fetch(request) });

api.use({
  onRequest({ request }) {
    if (CHANGES.has(request.method)) request.headers.set("X-CSRF-Token", csrfToken);
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
  const told = await response.json().catch(() => ({}));
  const detail = told.detail ?? `The server answered ${response.status}.`;
  return new Problem(response.status, detail, told.request_id, told.decision, told.errors);
}

/** The answer itself. */
export async function take<T>(asked: Promise<{ data?: T }>): Promise<T> {
  return (await asked).data as T;
}
