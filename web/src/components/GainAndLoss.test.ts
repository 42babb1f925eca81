import { expect, test } from "vitest";
import { inShort, withMore } from "./GainAndLoss";

const one = (id: string, gained: string[], lost: string[]) => ({
  member: { id, name: id, email: `${id}@example.com` },
  resource: { type: "table", id: "1", name: "raw.orders" },
  gained,
  lost,
});

test("who gains and who loses is counted in people, each once", () => {
  expect(inShort([one("ada", ["see"], []), one("ada", ["edit"], [])])).toBe("1 person gains");
  expect(inShort([one("ada", ["see"], []), one("ben", ["see"], []), one("eva", [], ["see"])])).toBe(
    "2 people gain, 1 loses",
  );
  expect(inShort([one("ada", [], ["see"]), one("ben", [], ["see"])])).toBe("2 people lose");
});

test("what a row decides besides its name is not kept back", () => {
  expect(withMore("table", "change_descriptions", "Change descriptions")).toBe(
    "Change descriptions (and go back to earlier versions)",
  );
  expect(withMore("table", "see_tables", "See tables")).toBe("See tables");
});
