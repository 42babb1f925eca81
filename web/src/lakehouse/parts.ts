/** The parts of the lakehouse's pages, as they stand in the address. */
export const LAYER_PARTS = ["tables", "volumes", "maintenance", "access", "history"] as const;
export const TABLE_PARTS = ["fields", "sample", "versions", "lineage", "uses", "access", "history"] as const;
export const VOLUME_PARTS = ["files", "uses", "access", "history"] as const;

export type LayerPart = (typeof LAYER_PARTS)[number];
export type TablePart = (typeof TABLE_PARTS)[number];
export type VolumePart = (typeof VOLUME_PARTS)[number];

/** How many steps of lineage are followed up and down. */
export const FOLLOWED = [1, 2, 4, 10] as const;
export type Followed = (typeof FOLLOWED)[number];
