import { expect, test } from "vitest";
import type { Schemas } from "../api/client";
import { withRun } from "./live";

type Run = Schemas["RunOut"];
const run = (id: string, state: Run["state"]) => ({ id, state }) as Run;
const list = {
  pages: [
    { items: [run("1", "running"), run("2", "queued")], next_cursor: "more" },
    { items: [run("3", "succeeded")], next_cursor: null },
  ],
  pageParams: [undefined, "more"],
};

test("a run that changed is shown as it is, on whatever page of the list", () => {
  const now = withRun(list, run("3", "failed"));
  expect(now.pages[1]?.items[0]?.state).toBe("failed");
  expect(now.pages[0]?.items).toEqual(list.pages[0]?.items);
});

test("a list that does not hold the run stays the same", () => {
  expect(withRun(list, run("9", "running"))).toBe(list);
});
