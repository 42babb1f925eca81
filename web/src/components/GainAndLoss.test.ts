import { expect, test } from "vitest";
import { inShort } from "./GainAndLoss";

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
