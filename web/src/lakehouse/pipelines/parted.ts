/** Which part of a pipeline's page is shown, as it stands in the address. */
import { listed, oneOf } from "../../app/inside";
import type { Narrowed } from "../../components/narrowing";

export const PARTS = ["what", "streams", "runs", "triggers", "access", "history"] as const;
export type PartName = (typeof PARTS)[number];

export const parted = (search: Record<string, unknown>): Narrowed & { part?: PartName } => ({
  part: oneOf(PARTS, search.part),
  ...listed(search),
});
