/** Where notification channels come from: the tenant's own, and each project's, are shown by the same pages. */
import type { ReactNode } from "react";
import type { Schemas } from "../../api/client";
import type { PageOf } from "../../components/ResourceList";
import type { ByName } from "../../components/sorting";
import type { Target } from "../../components/Why";

export type Channel = Schemas["ChannelOut"];
export type Kind = Channel["kind"];
export type ChannelChange = Schemas["ChannelChange"];

export const CHANNELS = ["run_failed", "run_succeeded"] as const satisfies readonly Kind[];

export interface Receiver {
  id: string;
  name: string;
  email: string;
  role: string;
  added: boolean;
}

export interface Source {
  /** What the answers are kept under. */
  of: readonly string[];
  /** Whose channels they are, and the actions that see who receives them and that manage them. */
  on: Target;
  see: string;
  manage: string;
  list: () => Promise<{ items: Channel[] }>;
  set: (channel: Channel, change: ChannelChange) => Promise<Channel>;
  receivers: (kind: Kind, page: { cursor?: string; search?: string; sort?: ByName }) => Promise<PageOf<Receiver>>;
  add: (kind: Kind, memberId: string) => Promise<unknown>;
  remove: (kind: Kind, memberId: string) => Promise<unknown>;
  /** Choosing somebody to add. */
  picker: (value: string | null, onChange: (value: string | null) => void) => ReactNode;
}

export const KINDS: Record<Kind, { title: string; about: string }> = {
  run_failed: { title: "A run failed", about: "Told at once, or after a while, in case somebody repairs it first." },
  run_succeeded: { title: "A run succeeded", about: "For those who wait for it." },
};
