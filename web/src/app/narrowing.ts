/** From what fits a text to what fits a longer one, as the server would tell: every word is in the name, and the best
 * comes first. */
import type { Schemas } from "../api/client";

export type Found = Schemas["FoundOut"];

// With a point, raw.orders is meant; and databases differ in what small letters are, beyond these.
const PLAIN = /^[\x20-\x2d\x2f-\x7e]+$/;
const BETWEEN_WORDS = [..." _-.@"];
/** Of what fits equally well, which comes first. */
const PLACES: Record<Found["type"], number> = {
  table: 0,
  layer: 1,
  volume: 2,
  source: 3,
  query: 4,
  history: 5,
  destination: 6,
  notebook: 7,
  integration: 8,
  saved_query: 9,
  project: 10,
  member: 11,
  group: 12,
};

/** Whether everything that fits the text fits the one before, too. */
export function goesOn(before: string, text: string): boolean {
  return text.startsWith(before) && PLAIN.test(text);
}

export function narrow(found: readonly Found[], text: string): Found[] {
  const words = small(text).split(/\s+/);
  return found
    .filter((thing) => words.every((word) => soughtBy(thing).some((name) => name.includes(word))))
    .map((thing) => ({ thing, rank: rankOf(thing, words.join(" ")) }))
    .sort((one, other) => one.rank - other.rank || inOrder(one.thing, other.thing))
    .map(({ thing }) => thing);
}

function inOrder(one: Found, other: Found): number {
  const [name, otherName] = [small(one.name), small(other.name)];
  return PLACES[one.type] - PLACES[other.type] || (name < otherName ? -1 : name > otherName ? 1 : 0);
}

function small(text: string): string {
  return text.toLowerCase().replaceAll("i\u0307", "i"); // of İ, databases leave no dot
}

/** Members are found by their e-mail address too, tables and volumes without their layer. */
function soughtBy({ type, name, about }: Found): string[] {
  if (type === "member") return [small(name), small(about)];
  return [small(type === "table" || type === "volume" ? name.slice(name.indexOf(".") + 1) : name)];
}

/** The same, begun so, with a word begun so, or with it inside. */
function rankOf(thing: Found, text: string): number {
  const ranks = [small(thing.name), ...soughtBy(thing)].map((name) => {
    if (name === text) return 0;
    if (name.startsWith(text)) return 1;
    return BETWEEN_WORDS.some((sign) => name.includes(sign + text)) ? 2 : 3;
  });
  return Math.min(...ranks);
}
