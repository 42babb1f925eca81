/** A choice made into what Vega-Lite draws. */
import type { TopLevelSpec } from "vega-lite";
import type { GridColumn } from "../../../components/grid/values";
import { type Choice, inWords, kindOf } from "./choice";

const DAY = 86_400_000; // milliseconds
/** Of so many days each is marked; of more Vega marks some by itself. */
const EACH = 31;

/** Bars of more different numbers than this stand for ranges of them. */
const APART = 30;

type Rows = readonly (readonly unknown[])[];
type Datum = Record<string, string | number | null>;

/** Fields are called c0, c1, …: names of columns may hold dots and brackets, which mean something else there. */
const field = (at: number) => `c${at}`;

export function specOf(choice: Choice, columns: readonly GridColumn[], rows: Rows): TopLevelSpec {
  const { mark, x, y, colour, how } = choice;
  const used = [...new Set([x, y, ...(colour < 0 ? [] : [colour])])];
  const values = rows.map(
    (row): Datum => Object.fromEntries(used.map((at) => [field(at), drawn(row[at], columns[at]?.type ?? "")])),
  );
  const isApart = mark === "bar" && kindOf(columns[x]?.type ?? "") === "number";
  const bin = isApart && new Set(values.map((datum) => datum[field(x)])).size > APART;
  return {
    data: { values },
    description: inWords(choice, columns),
    mark: { type: mark, tooltip: true, ...LOOK[mark] },
    encoding: {
      x: {
        ...along(x, columns),
        ...marked(x, columns, values),
        ...(bin ? { bin: { maxbins: 40 } } : isApart ? { type: "ordinal", sort: null } : {}),
      },
      y:
        how === "count"
          ? { aggregate: "count", type: "quantitative", title: "rows" }
          : {
              ...along(y, columns),
              ...(how === "none" ? marked(y, columns, values) : { aggregate: how, type: "quantitative" }),
            },
      ...(colour < 0
        ? {}
        : { color: { ...along(colour, columns), ...(isWord(columns[colour]) ? { sort: null } : {}) } }),
    },
  };
}

const LOOK = {
  bar: { cornerRadiusEnd: 2 },
  line: { strokeWidth: 2, point: { size: 24 } },
  area: { opacity: 0.65, line: true },
  point: { filled: true, opacity: 0.75, size: 45 },
} as const;

const isWord = (column: GridColumn | undefined) => column !== undefined && kindOf(column.type) === "word";

/** How days are marked along an axis: there are no hours between two of them. */
function marked(at: number, columns: readonly GridColumn[], values: readonly Datum[]) {
  if (!/^date$/i.test(columns[at]?.type ?? "")) return {};
  const days = values.map((datum) => datum[field(at)]).filter((day) => typeof day === "number");
  const isShort = Math.max(...days) - Math.min(...days) <= EACH * DAY;
  return { axis: { format: "%-d %b %Y", ...(isShort && { tickCount: "day" as const }) } };
}

function along(at: number, columns: readonly GridColumn[]) {
  const column = columns[at];
  const title = column?.name ?? "";
  switch (kindOf(column?.type ?? "")) {
    case "number":
      return { field: field(at), title, type: "quantitative" } as const;
    case "time":
      return { field: field(at), title, type: "temporal", scale: { type: "utc" } } as const;
    default:
      // In the order of the rows, which somebody may have chosen.
      return { field: field(at), title, type: "nominal", sort: null } as const;
  }
}

/** A value as it is drawn: decimals come as text, times as text in UTC. */
export function drawn(value: unknown, type: string): string | number | null {
  if (value === null || value === undefined) return null;
  switch (kindOf(type)) {
    case "number":
      return Number(value);
    case "time": {
      const text = String(value);
      const isZoned = !text.includes("T") || /Z|[+-]\d\d:?\d\d$/.test(text);
      const at = Date.parse(isZoned ? text : `${text}Z`);
      return Number.isNaN(at) ? null : at;
    }
    default:
      return typeof value === "object" ? JSON.stringify(value) : String(value);
  }
}
