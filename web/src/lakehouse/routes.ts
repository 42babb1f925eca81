/** Addresses of the lakehouse. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { anId, inside, listed, oneOf, type Searched, searched, word } from "../app/inside";
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
import { TABLE_ORDERS, type TableOrder } from "./tables/orders";

type Given = Record<string, unknown>;

interface TablesNarrowed extends Searched {
  sort?: TableOrder;
}

const tablesListed = (search: Given): TablesNarrowed => ({
  ...searched(search),
  sort: oneOf(TABLE_ORDERS, search.sort),
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
  validateSearch: (search: Given): TablesNarrowed & Sharing & { part?: LayerPart } => ({
    ...tablesListed(search),
    part: oneOf(LAYER_PARTS, search.part),
    ...sharing(search),
  }),
  component: lazyRouteComponent(() => import("./layers/LayerPage"), "LayerPage"),
});

const tables = createRoute({
  getParentRoute: () => inside,
  path: "/tables",
  validateSearch: (search: Given): TablesNarrowed & { layer?: string } => ({
    ...tablesListed(search),
    layer: anId(search.layer),
  }),
  component: lazyRouteComponent(() => import("./tables/Tables"), "Tables"),
});

export interface AtTable extends Sharing {
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
    ...sharing(search),
  }),
  component: lazyRouteComponent(() => import("./tables/TablePage"), "TablePage"),
});

const volumes = createRoute({
  getParentRoute: () => inside,
  path: "/volumes",
  validateSearch: (search: Given): Narrowed & { layer?: string } => ({ ...listed(search), layer: anId(search.layer) }),
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
