/** Whether the palette is open, and what is lit in it. */
import { createSpotlight } from "@mantine/spotlight";

export const [paletteStore, palette] = createSpotlight();

/** The first that can be taken, as if one had gone there by the keys; nothing where there is none. */
export function lightFirst(): void {
  shown("[data-selected]")?.removeAttribute("data-selected");
  const first = shown("[data-action]");
  first?.setAttribute("data-selected", "true");
  paletteStore.updateState((now) => ({ ...now, selected: first ? 0 : -1 }));
}

export function takeLit(): void {
  if (paletteStore.getState().opened) shown("[data-selected]")?.click();
}

function shown(selector: string): HTMLElement | null {
  return document.getElementById(paletteStore.getState().listId)?.querySelector<HTMLElement>(selector) ?? null;
}
