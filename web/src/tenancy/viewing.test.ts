import { afterEach, beforeEach, expect, test, vi } from "vitest";

const KEPT = "viewing as";
const BEN = { id: "1", name: "Ben", from: "/tables" };

beforeEach(() => vi.resetModules());
afterEach(() => sessionStorage.clear());

test("whom one views as is remembered for this tab", async () => {
  const soon = new Date(Date.now() + 60_000).toISOString();
  sessionStorage.setItem(KEPT, JSON.stringify({ ...BEN, endsAt: soon }));
  const { ownHeaders } = await import("../api/client");
  const { viewing, forgetViewing } = await import("./viewing");
  expect(viewing()?.name).toBe("Ben");
  expect(ownHeaders()).toEqual({ "X-View-As": "1" });
  forgetViewing();
  expect(viewing()).toBeNull();
  expect(ownHeaders()).toEqual({});
  expect(sessionStorage.getItem(KEPT)).toBeNull();
});

test("after an hour it is over, and that is said once", async () => {
  sessionStorage.setItem(KEPT, JSON.stringify({ ...BEN, endsAt: "2026-01-01T00:00:00Z" }));
  const { viewing, justEnded } = await import("./viewing");
  expect(viewing()).toBeNull();
  expect(justEnded()).toBe("Ben");
  expect(justEnded()).toBeNull();
});

test("how long it still lasts is said in minutes", async () => {
  const { timeLeft } = await import("./viewing");
  const ends = "2026-01-01T10:00:00Z";
  expect(timeLeft(ends, new Date("2026-01-01T09:00:00Z"))).toBe("60 minutes left");
  expect(timeLeft(ends, new Date("2026-01-01T09:17:30Z"))).toBe("43 minutes left");
  expect(timeLeft(ends, new Date("2026-01-01T09:59:10Z"))).toBe("the last minute");
});

test("one comes back to a page of ours, and to no other", async () => {
  const soon = new Date(Date.now() + 60_000).toISOString();
  const gone = vi.spyOn(location, "assign").mockReturnValue();
  vi.stubGlobal("fetch", async () => new Response(null, { status: 204 }));
  for (const [from, back] of [
    ["/tables", "/tables"],
    ["//evil.example/login", "/"],
  ]) {
    vi.resetModules();
    sessionStorage.setItem(KEPT, JSON.stringify({ ...BEN, from, endsAt: soon }));
    const { stopViewing } = await import("./viewing");
    await stopViewing();
    expect(gone).toHaveBeenLastCalledWith(back);
  }
  gone.mockRestore();
});

test("what is not to be seen through somebody's eyes is said without the API's words", async () => {
  const { lookThrough, problemFrom } = await import("../api/client");
  const told = JSON.stringify({ detail: "You are viewing as Ben. Leave out the header X-View-As to act as yourself." });
  expect(problemFrom(403, told).message).toContain("X-View-As");
  lookThrough(BEN);
  expect(problemFrom(403, told).message).toMatch(/^You see what Ben sees, .* Stop first\.$/);
  expect(problemFrom(403, JSON.stringify({ detail: "Not for them." })).message).toBe("Not for them.");
  lookThrough(null);
});

test("nothing is changed through somebody's eyes", async () => {
  const { api, lookThrough } = await import("../api/client");
  const sent = vi.fn();
  vi.stubGlobal("fetch", sent);
  lookThrough(BEN);
  await expect(
    api.DELETE("/api/v1/groups/{group_id}", { params: { path: { group_id: "7" } }, baseUrl: "http://here" }),
  ).rejects.toThrow("You see what Ben sees");
  expect(sent).not.toHaveBeenCalled();
});
