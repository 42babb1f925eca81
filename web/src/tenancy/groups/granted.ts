/** What was granted to a group, in words, and the page about what it was granted on. */
import type { LinkProps } from "@tanstack/react-router";

export type Granted = Record<string, unknown>;

/** “Business User in the project Sales”, “Editor on the layer raw”. */
export function said(granted: Granted): string {
  return String(granted.what);
}

type Page = Pick<LinkProps, "to" | "params">;

const PAGES: Record<string, (id: string) => Page> = {
  project: (projectId) => ({ to: "/projects/$projectId", params: { projectId } }),
  layer: (layerId) => ({ to: "/layers/$layerId", params: { layerId } }),
  table: (tableId) => ({ to: "/tables/$tableId", params: { tableId } }),
  volume: (volumeId) => ({ to: "/volumes/$volumeId", params: { volumeId } }),
};

interface Whereabouts {
  /** The words before the name, which come last. */
  before: string;
  name: string;
  page: Page;
}

export function whereIs(granted: Granted): Whereabouts | undefined {
  for (const [kind, page] of Object.entries(PAGES)) {
    const { [kind]: name, [`${kind}_id`]: id } = granted;
    if (typeof name === "string" && typeof id === "string" && said(granted).endsWith(name)) {
      return { before: said(granted).slice(0, -name.length), name, page: page(id) };
    }
  }
  return undefined;
}
