/** How it looks: one accent, warm greys, one typeface. */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import type { FocusEvent } from "react";

const petrol: MantineColorsTuple = [
  "#e9f7f5",
  "#d5ece9",
  "#a8d9d3",
  "#78c5bc",
  "#51b4a9",
  "#38a99d",
  "#1f8f84",
  "#0b6b63",
  "#075e57",
  "#02504a",
];

const stone: MantineColorsTuple = [
  "#faf9f7",
  "#f2f0ec",
  "#e4e1da",
  "#cfcbc2",
  "#a9a49a",
  "#847f76",
  "#69655d",
  "#4a4741",
  "#2f2d29",
  "#1c1b18",
];

export const theme = createTheme({
  primaryColor: "petrol",
  primaryShade: 7,
  colors: { petrol, gray: stone },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, monospace",
  headings: { fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  autoContrast: true,
  components: {
    CloseButton: { defaultProps: { "aria-label": "Close" } },
    Select: { defaultProps: { onFocus: takeThePlace } },
  },
});

/** What is typed takes the place of the one chosen, and is not written behind its name. */
function takeThePlace({ currentTarget: input }: FocusEvent<HTMLInputElement>): void {
  if (!input.readOnly) input.select();
}

/** Where Mantine's own grey and red are too faint to read; and a ground a little off the page's, which nothing shines
 * through. In a style sheet `light-dark()` would do nothing: the build writes it anew, and so loses it. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--bailiwick-color-soft": "var(--mantine-color-gray-1)",
    "--mantine-color-error": "var(--mantine-color-red-9)",
  },
  dark: {
    "--bailiwick-color-soft": "var(--mantine-color-dark-6)",
    "--mantine-color-dimmed": stone[4],
    "--mantine-color-placeholder": stone[4],
    "--mantine-color-error": "var(--mantine-color-red-4)",
  },
});
