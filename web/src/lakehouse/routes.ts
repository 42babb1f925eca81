/** Addresses of the lakehouse. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { anId, inside, listed, oneOf, word } from "../app/inside";
import type { Narrowed } from "../components/narrowing";
import { type Sharing, sharing } from "../components/share/sharing";
import {
  FOLLOWED,
  type Followed,
  LAYER_PARTS,
  type LayerPart,
  TABLE_PARTS,
  type TablePart,
  VOLUME_PARTS,
  type VolumePart,
} from "./parts";

type Given = Record<string, unknown>;

const listedOfLayer = (search: Given): Narrowed & { layer?: string } => ({
  ...listed(search),
  layer: anId(search.layer),
});

const layers = createRoute({
  getParentRoute: () => inside,
  path: "/layers",
  validateSearch: listed,
  component: lazyRouteComponent(() => import("./layers/Layers"), "Layers"),
});

const layer = createRoute({
  getParentRoute: () => inside,
  path: "/layers/$layerId",
  validateSearch: (search: Given): Narrowed & Sharing & { part?: LayerPart } => ({
    ...listed(search),
    part: oneOf(LAYER_PARTS, search.part),
    ...sharing(search),
  }),
  component: lazyRouteComponent(() => import("./layers/LayerPage"), "LayerPage"),
});

const tables = createRoute({
  getParentRoute: () => inside,
  path: "/tables",
  validateSearch: listedOfLayer,
  component: lazyRouteComponent(() => import("./tables/Tables"), "Tables"),
});

export interface AtTable extends Narrowed, Sharing {
  part?: TablePart;
  /** Of the sample: as the table was in this version. */
  version?: number;
  /** Of the lineage: whether columns are drawn, how far it is followed, and the column that is lit. */
  columns?: boolean;
  steps?: Followed;
  lit?: string;
}

const table = createRoute({
  getParentRoute: () => inside,
  path: "/tables/$tableId",
  validateSearch: (search: Given): AtTable => ({
    part: oneOf(TABLE_PARTS, search.part),
    version: typeof search.version === "number" ? search.version : undefined,
    columns: search.columns === true || undefined,
    steps: FOLLOWED.find((one) => one === search.steps),
    lit: word(search.lit),
    ...listed(search),
    ...sharing(search),
  }),
  component: lazyRouteComponent(() => import("./tables/TablePage"), "TablePage"),
});

const volumes = createRoute({
  getParentRoute: () => inside,
  path: "/volumes",
  validateSearch: listedOfLayer,
  component: lazyRouteComponent(() => import("./volumes/Volumes"), "Volumes"),
});

const volume = createRoute({
  getParentRoute: () => inside,
  path: "/volumes/$volumeId",
  validateSearch: (search: Given): Narrowed & Sharing & { part?: VolumePart; folder?: string } => ({
    part: oneOf(VOLUME_PARTS, search.part),
    folder: word(search.folder),
    ...listed(search),
    ...sharing(search),
  }),
  component: lazyRouteComponent(() => import("./volumes/VolumePage"), "VolumePage"),
});

export const lakehouseRoutes = [layers, layer, tables, table, volumes, volume] as const;
