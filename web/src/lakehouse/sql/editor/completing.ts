/** What fits where one writes: of the tables one may see, asked of the server, and the columns of those in the text. */
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { api, type Schemas, take } from "../../../api/client";
import { queryClient } from "../../../api/queries";
import { type NamedTable, namedTables } from "../statement";

type Offer = Schemas["OfferOut"];

const MOST = 50;
const FRESH = 30_000;
const BOOST: Record<Offer["kind"], number> = { column: 20, table: 10, layer: 15 };

export interface Wanted {
  /** What the server is asked for. */
  prefix: string;
  /** What takes the place of the table's own name in its answer. */
  called?: { table: string; alias: string };
}

/** What is asked for: a name that the statement gave to a table stands for that table. */
export function wanted(written: string, tables: readonly NamedTable[]): Wanted {
  const [before, ...rest] = written.replaceAll("`", "").split(".");
  const called = tables.find(({ alias }) => alias.toLowerCase() === before?.toLowerCase());
  if (called && rest.length === 1) return { prefix: `${called.table}.${rest[0]}`, called };
  return { prefix: written.replaceAll("`", "") };
}

/** How an offer is written where one is. */
export function written(offer: Offer, called: Wanted["called"]): string {
  return called ? offer.text.replace(called.table.toLowerCase(), called.alias) : offer.text;
}

export async function completing(context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w.`]+/);
  const afterFrom = context.matchBefore(/\b(?:from|join)\s+$/i);
  if (!word && !afterFrom && !context.explicit) return null;
  const begun = word?.text ?? "";
  if (/^\d/.test(begun)) return null;
  const tables = namedTables(context.state.doc.toString());
  const { prefix, called } = wanted(begun, tables);
  const named = [...new Set(tables.map(({ table }) => table.toLowerCase()))].slice(0, 20).sort();
  const offers = await queryClient
    .fetchQuery({
      queryKey: ["completion", prefix, prefix.includes(".") ? [] : named],
      queryFn: ({ signal }) =>
        take(api.GET("/api/v1/completion", { params: { query: { prefix, tables: named, limit: MOST } }, signal })),
      staleTime: FRESH,
    })
    .catch(() => undefined); // who writes is not to be disturbed
  if (!offers || context.aborted) return null;
  const options = offers.items.map((offer): Completion => {
    const label = written(offer, called);
    return { label, detail: offer.type || offer.kind, info: offer.description || undefined, boost: BOOST[offer.kind] };
  });
  return {
    from: word?.from ?? context.pos,
    options,
    validFor: (text) => offers.items.length < MOST && goesOn(begun, text),
  };
}

/** Whether what was offered for the beginning is all that can fit: the same name, some letters further. */
export function goesOn(begun: string, text: string): boolean {
  return text.startsWith(begun) && /^\w*$/.test(text.slice(begun.length));
}
