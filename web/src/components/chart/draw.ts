/** Drawing with Vega: without eval, which the content security policy forbids, and in the app's own colours. */
import { type Config, parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";

/** Tell apart in light and in dark, by most eyes. */
const COLOURS = {
  light: ["#0b6b63", "#d9730d", "#1864ab", "#a6263f", "#7048a8", "#7a6a00", "#2b8a3e", "#c2255c", "#495057", "#0c8599"],
  dark: ["#51b4a9", "#f0a35e", "#74b3ea", "#f1929f", "#b79ae0", "#d9c64a", "#7bc98a", "#ef8fb4", "#b0b6bc", "#63cbd8"],
};

function look(dark: boolean): Record<string, unknown> {
  const words = dark ? "#c9c9c9" : "#4a4741";
  const lines = dark ? "#3b3b3b" : "#e4e1da";
  const said = { labelColor: words, titleColor: words, labelFontSize: 12, titleFontSize: 12, titleFontWeight: 600 };
  return {
    background: "transparent",
    font: "'Inter Variable', system-ui, sans-serif",
    view: { stroke: null },
    axis: { ...said, gridColor: lines, domainColor: lines, tickColor: lines, labelLimit: 160, titlePadding: 10 },
    axisX: { grid: false, labelAngle: 0, labelOverlap: "parity" },
    legend: { ...said, symbolLimit: 20, labelLimit: 160 },
    mark: { color: COLOURS[dark ? "dark" : "light"][0] },
    range: { category: COLOURS[dark ? "dark" : "light"] },
  };
}

/** Draws into an element, and gives what ends it. */
export function draw(
  into: HTMLElement,
  spec: TopLevelSpec,
  size: { width: number; height: number },
  dark: boolean,
): () => void {
  const autosize = { type: "fit", contains: "padding" } as const;
  const { spec: made } = compile({ ...spec, ...size, autosize } as TopLevelSpec, { config: look(dark) });
  const runtime = parse(made, {} as Config, { ast: true });
  const view = new View(runtime, { expr: expressionInterpreter, renderer: "svg", container: into, hover: true });
  void view.runAsync();
  return () => view.finalize();
}
