import { expect, test } from "vitest";
import { howFar, kindInWords, lasted, named } from "./words";

test("a run is named by what it belongs to, or by what it does", () => {
  const subject = { type: "pipeline", id: "1", name: "Deliveries" };
  expect(named({ subject, kind: "sync", number: 3 })).toBe("Deliveries #3");
  expect(named({ subject: { ...subject, name: "" }, kind: "make_table", number: 1 })).toBe("Make table #1");
  expect(kindInWords("sync")).toBe("Sync of a source");
});

test("a bar is not full as long as the run goes on", () => {
  expect(howFar({})).toBe(0);
  expect(howFar({ stages_done: 0, stages_total: 3 })).toBe(0);
  expect(howFar({ stages_done: 2, stages_total: 3 })).toBe(50);
  expect(howFar({ stages_done: 9, stages_total: 9 })).toBe(90);
});

test.each([
  [null, null, "–"],
  ["2026-01-01T10:00:00Z", "2026-01-01T10:00:01.25Z", "1.3 s"],
  ["2026-01-01T10:00:00Z", "2026-01-01T10:00:42Z", "42 s"],
  ["2026-01-01T10:00:00Z", null, "2 min 5 s"],
  ["2026-01-01T08:00:00Z", "2026-01-01T10:30:00Z", "2 h 30 min"],
])("from %s to %s it lasted %s", (started, ended, said) => {
  expect(lasted(started, ended, new Date("2026-01-01T10:02:05Z"))).toBe(said);
});
