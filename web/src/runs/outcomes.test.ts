import { expect, test } from "vitest";
import { checked, inWords, says, streamsDone, streamsHidden } from "./outcomes";

test("a sync tells what each stream brought", () => {
  const streams = [{ name: "orders", rows_written: 7, rows_rejected: 1, problem: null }];
  expect(streamsDone({ streams })).toEqual(streams);
  expect([streamsHidden({ streams }), streamsHidden({ streams, hidden: 2 })]).toEqual([0, 2]);
});

test("a look at a source has streams that brought nothing", () => {
  expect(streamsDone({ says: "Fine.", streams: [{ name: "orders", columns: [] }] })).toEqual([]);
  expect(says({ says: "Fine." })).toBe("Fine.");
});

test("a pipeline query tells what was expected", () => {
  const [one] = checked({ expectations: [{ kind: "not_null", column: "id", stop: true, met: false, found: 3 }] });
  expect(one).toEqual({ kind: "not_null", column: "id", stop: true, met: false, found: "3" });
  expect(inWords({ kind: "not_null", column: "id" })).toBe("not null: id");
  expect(inWords({ kind: "row_count", column: null })).toBe("row count");
});

test("no result says nothing", () => {
  expect([streamsDone(null), checked(null), says(null)]).toEqual([[], [], ""]);
});
