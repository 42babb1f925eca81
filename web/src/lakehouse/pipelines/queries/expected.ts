/** What is expected of the rows, in words with its limits. */
import { counted } from "../../../components/numbers";
import type { Expectation } from "./statement";

/** “amount is at least 0 and at most 10”, “at least 1 row”. */
export function expected(one: Expectation): string {
  const column = one.column ?? "";
  switch (one.kind) {
    case "not_null":
      return `${column} is never empty`;
    case "unique":
      return `${column} is never there twice`;
    case "accepted_values":
      return `${column} is one of ${(one.values ?? []).join(", ")}`;
    case "range":
      return `${column} is ${within(one, String)}`;
    case "freshness":
      return `the newest ${column} is at most ${counted(one.minutes ?? 0)} minutes old`;
    case "row_count":
      return `the number of rows is ${within(one, (bound) => counted(Number(bound)))}`;
  }
}

function within({ least, most }: Expectation, say: (bound: number | string) => string): string {
  const said = [];
  if (least !== null && least !== undefined) said.push(`at least ${say(least)}`);
  if (most !== null && most !== undefined) said.push(`at most ${say(most)}`);
  return said.join(" and ") || "anything";
}
