import { expect, test } from "vitest";
import { endOf } from "./Until";

test("an end that stays is not sent, none is sent as none, and days are counted from now", () => {
  expect(endOf("as it is")).toEqual({});
  expect(endOf("for good")).toEqual({ expires_at: null });
  const end = endOf("30").expires_at;
  expect(new Date(end ?? "").getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
});
