/** What comes of granting a request: for how long at first, what to ask before it is given, and what would be lost. */
import type { Change } from "../components/GainAndLoss";
import type { AccessRequest } from "./words";

export const DAYS = 30;

/** The end that is chosen at first: as it was asked for; without one a month, unless they have something longer. */
export function firstEnd(request: Decided, now = new Date()): "as asked for" | "for good" | "for days" {
  if (request.expires_at && new Date(request.expires_at) > now) return "as asked for";
  return lastsLonger(request, daysOn(now)) ? "for good" : "for days";
}

/** The question of who gains and loses what, if there is a difference to ask about. */
export function asChanges(request: Decided, wanted: string): Change[] {
  const { resource, requester, standing } = request;
  if (resource.id === null || !standing || standing.granted === wanted) return [];
  const has = standing.granted !== null;
  if (resource.type === "project") {
    // Who is in no project of theirs is nobody whom they may ask about.
    if (standing.tenant_role === null) return [];
    const change = has ? "change_project_role" : "grant_project_role";
    return [{ change, project: resource.id, member: requester.id, role: wanted } as Change];
  }
  const change = has ? "change_level" : "give_level";
  return [{ change, [resource.type]: resource.id, member: requester.id, level: wanted } as Change];
}

/** Whether what they hold there themselves lasts beyond this end: what is given takes its place. */
export function lastsLonger({ standing }: Pick<AccessRequest, "standing">, end: string | null): boolean {
  if (!standing?.granted || end === null) return false;
  return standing.granted_until === null || new Date(standing.granted_until) > new Date(end);
}

type Decided = Pick<AccessRequest, "resource" | "requester" | "standing" | "expires_at">;

function daysOn(now: Date): string {
  return new Date(now.getTime() + DAYS * 86_400_000).toISOString();
}
