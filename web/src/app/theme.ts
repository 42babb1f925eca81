/** How it looks: one accent, warm greys, one typeface. */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

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
  components: { CloseButton: { defaultProps: { "aria-label": "Close" } } },
});

/** Where Mantine's own grey and red are too faint to read. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: { "--mantine-color-error": "var(--mantine-color-red-9)" },
  dark: {
    "--mantine-color-dimmed": stone[4],
    "--mantine-color-placeholder": stone[4],
    "--mantine-color-error": "var(--mantine-color-red-4)",
  },
});
