import { expect, test } from "vitest";
import { expected } from "./expected";
import type { Expectation } from "./statement";

const CASES: [Partial<Expectation>, string][] = [
  [{ kind: "not_null", column: "receipt" }, "receipt is never empty"],
  [{ kind: "unique", column: "receipt" }, "receipt is never there twice"],
  [{ kind: "accepted_values", column: "state", values: ["new", "sent"] }, "state is one of new, sent"],
  [{ kind: "range", column: "amount", least: 0, most: 10.5 }, "amount is at least 0 and at most 10.5"],
  [{ kind: "range", column: "sold_on", least: "2026-01-01", most: null }, "sold_on is at least 2026-01-01"],
  [{ kind: "freshness", column: "sold_at", minutes: 1440 }, "the newest sold_at is at most 1,440 minutes old"],
  [{ kind: "row_count", least: 1 }, "the number of rows is at least 1"],
  [{ kind: "row_count", least: 1, most: 25_000 }, "the number of rows is at least 1 and at most 25,000"],
];

test.each(CASES)("%o is said with its limits", (one, said) => {
  expect(expected({ stop: false, ...one } as Expectation)).toBe(said);
});
