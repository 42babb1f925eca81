/** From what fits a text to what fits a longer one, as the server would tell: every word is in the name, and the best
 * comes first. */
import type { Schemas } from "../api/client";

export type Found = Schemas["FoundOut"];

// With a point, raw.orders is meant; of other letters, databases know more small ones than browsers.
const PLAIN = /^[\x20-\x2d\x2f-\x7e]+$/;
const BETWEEN_WORDS = [..." _-.@"];

/** Whether everything that fits the text fits the one before, too. */
export function goesOn(before: string, text: string): boolean {
  return text.startsWith(before) && PLAIN.test(text);
}

export function narrow(found: readonly Found[], text: string): Found[] {
  const words = text.toLowerCase().split(/\s+/);
  const ranks = new Map<Found, number>();
  for (const thing of found) {
    const names = namesOf(thing);
    if (words.every((word) => names.some((name) => name.includes(word)))) {
      ranks.set(thing, Math.min(...names.map((name) => rank(name, words.join(" ")))));
    }
  }
  return [...ranks].sort(([, one], [, other]) => one - other).map(([thing]) => thing);
}

/** Members are found by their e-mail address too, tables without their layer. */
function namesOf({ type, name, about }: Found): string[] {
  const isOfLayer = type === "table" || type === "volume";
  const names = type === "member" ? [name, about] : [isOfLayer ? name.slice(name.indexOf(".") + 1) : name];
  return names.map((one) => one.toLowerCase());
}

function rank(name: string, text: string): number {
  if (name === text) return 0;
  if (name.startsWith(text)) return 1;
  return BETWEEN_WORDS.some((sign) => name.includes(sign + text)) ? 2 : 3;
}
