/** Which part of a pipeline's page is shown, as it stands in the address. */
import { oneOf } from "../../app/inside";

export const PARTS = ["what", "streams", "runs", "triggers", "access", "history"] as const;
export type PartName = (typeof PARTS)[number];

export const parted = (search: Record<string, unknown>): { part?: PartName } => ({ part: oneOf(PARTS, search.part) });
