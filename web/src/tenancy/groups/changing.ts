/** What a group is called among the answers that are kept. */
import type { Schemas } from "../../api/client";

export type GroupSeen = Schemas["GroupOut"];

export const groupKey = (id: string) => ["groups", id] as const;
