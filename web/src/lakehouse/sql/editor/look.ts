/** The editor in the app's own colours, which are light or dark by themselves. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const chrome = EditorView.theme({
  "&": { height: "100%", fontSize: "13.5px", backgroundColor: "transparent", color: "var(--mantine-color-text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", lineHeight: "1.6" },
  ".cm-content": { padding: "12px 0", caretColor: "var(--mantine-color-text)" },
  ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--mantine-color-dimmed)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 12px 0 16px", minWidth: "36px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": {
    backgroundColor: "light-dark(rgba(11, 107, 99, 0.05), rgba(255, 255, 255, 0.04))",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "light-dark(#cfe7e4, #14504b)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "light-dark(#d5ece9, #14504b)",
    outline: "none",
  },
  ".cm-placeholder": { color: "var(--mantine-color-dimmed)" },
  ".cm-mistake": {
    backgroundColor: "light-dark(rgba(201, 42, 42, 0.14), rgba(255, 107, 107, 0.24))",
    borderBottom: "2px solid light-dark(#c92a2a, #ff6b6b)",
  },
  ".cm-tooltip": {
    border: "1px solid var(--mantine-color-default-border)",
    borderRadius: "8px",
    backgroundColor: "var(--mantine-color-body)",
    color: "var(--mantine-color-text)",
    boxShadow: "var(--mantine-shadow-md)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mantine-font-family-monospace)",
    fontSize: "13px",
    maxHeight: "260px",
    minWidth: "280px",
    padding: "4px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    display: "flex",
    alignItems: "baseline",
    gap: "6px",
    padding: "4px 8px",
    borderRadius: "5px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "light-dark(#d5ece9, #075e57)",
    color: "var(--mantine-color-text)",
  },
  ".cm-completionDetail": {
    marginLeft: "auto",
    paddingLeft: "16px",
    fontStyle: "normal",
    color: "light-dark(#4a4741, #cfcbc2)",
    fontSize: "12px",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionIcon": { display: "none" },
  ".cm-tooltip.cm-completionInfo": {
    padding: "6px 10px",
    fontSize: "12px",
    fontFamily: "var(--mantine-font-family)",
    maxWidth: "280px",
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "light-dark(#0b6b63, #78c5bc)", fontWeight: "600" },
  { tag: tags.typeName, color: "light-dark(#7048a8, #c4a7e7)" },
  { tag: tags.standard(tags.name), color: "light-dark(#1864ab, #8cc1f0)" },
  { tag: [tags.string, tags.special(tags.string)], color: "light-dark(#8f4a00, #e8b27a)" },
  { tag: [tags.number, tags.bool, tags.null], color: "light-dark(#a6263f, #f1929f)" },
  { tag: [tags.lineComment, tags.blockComment], color: "light-dark(#69655d, #a9a49a)", fontStyle: "italic" },
]);

export const look = [chrome, syntaxHighlighting(colours)];
