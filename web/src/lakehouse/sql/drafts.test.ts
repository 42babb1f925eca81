import { beforeEach, expect, test } from "vitest";
import { bringBack, draftOf, keepDraft, keepOpened, openedLast, putAside, replaceDraft } from "./drafts";

beforeEach(() => sessionStorage.clear());

test("each saved query has its own draft, beside the text that is nobody's", () => {
  keepDraft(undefined, "select 1");
  keepDraft("a", "select 2");
  expect([draftOf(undefined), draftOf("a"), draftOf("b")]).toEqual(["select 1", "select 2", undefined]);
  keepDraft("a", undefined);
  expect(draftOf("a")).toBeUndefined();
});

test("what was never run is kept aside when something else is opened, and comes back", () => {
  keepDraft(undefined, "select precious");
  replaceDraft("select 2", false);
  expect(draftOf(undefined)).toBe("select 2");
  expect(putAside()).toBe("select precious");
  expect(bringBack()).toBe("select precious");
  expect(draftOf(undefined)).toBe("select precious");
  expect(putAside()).toBeUndefined();
});

test("what was run is in the history, and need not be kept", () => {
  keepDraft(undefined, "select 1");
  replaceDraft("select 2", true);
  expect(putAside()).toBeUndefined();
});

test("what was open last is known, whatever the browser kept", () => {
  expect(openedLast()).toEqual({});
  keepOpened({ query: "q" });
  expect(openedLast()).toEqual({ query: "q" });
  sessionStorage.setItem("bailiwick.sql.opened@", "{broken");
  expect(openedLast()).toEqual({});
});
