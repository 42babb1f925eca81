/** Viewing as another member: who that is, kept for this tab only; entering and leaving ask everything anew. */
import { api, lookThrough, type Schemas, take } from "../api/client";
import { ours } from "../app/ours";

const KEPT = "viewing as";
const OVER = "viewing is over";

export interface Viewed {
  id: string;
  name: string;
  endsAt: string;
  /** Where the viewer was, to come back to. */
  from: string;
}

let viewed = remembered();
lookThrough(viewed);

/** As whom one views just now. Entering and leaving load the page anew, so that it never changes under a page. */
export function viewing(): Viewed | null {
  return viewed;
}

export async function viewAs(memberId: string): Promise<void> {
  const begun = await take(api.POST("/api/v1/view-as", { body: { member_id: memberId } }));
  sessionStorage.setItem(KEPT, JSON.stringify(asKept(begun, `${location.pathname}${location.search}`)));
  location.assign("/");
}

export async function stopViewing(): Promise<void> {
  const back = ours(viewed?.from) ?? "/";
  await api.DELETE("/api/v1/view-as");
  forgetViewing();
  location.assign(back);
}

/** It ended by itself, or elsewhere: that is said once the page is there anew. */
export function endViewing(): void {
  const name = viewed?.name ?? "";
  forgetViewing();
  sessionStorage.setItem(OVER, name);
  location.reload();
}

/** As whom one viewed until it was over, if that was not said yet. */
export function justEnded(): string | null {
  const name = sessionStorage.getItem(OVER);
  sessionStorage.removeItem(OVER);
  return name;
}

/** Without a word to the server: it is over, or whoever viewed has signed out. */
export function forgetViewing(): void {
  sessionStorage.removeItem(KEPT);
  viewed = null;
  lookThrough(null);
}

function asKept({ member, ends_at }: Schemas["ViewingOut"], from: string): Viewed {
  return { id: member.id, name: member.name, endsAt: ends_at, from };
}

function remembered(): Viewed | null {
  const kept = sessionStorage.getItem(KEPT);
  if (kept === null) return null;
  const one: Viewed = JSON.parse(kept);
  if (new Date(one.endsAt) > new Date()) return one;
  sessionStorage.removeItem(KEPT);
  sessionStorage.setItem(OVER, one.name);
  return null;
}

/** “42 minutes left”; of the last minute, that it is the last. */
export function timeLeft(endsAt: string, now: Date): string {
  const minutes = Math.ceil((new Date(endsAt).getTime() - now.getTime()) / 60_000);
  return minutes > 1 ? `${minutes} minutes left` : "the last minute";
}
