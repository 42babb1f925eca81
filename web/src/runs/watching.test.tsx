import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, Problem, type Schemas } from "../api/client";
import { runQuery, useRunAsItGoes, withNew } from "./watching";

type Run = Schemas["RunDetailOut"];

const line = (id: string) => ({ id, at: "2026-01-01T00:00:00Z", level: "info", text: id }) as never;
const run = (state: Run["state"]) =>
  ({ id: "1", state, ended_at: state === "running" ? null : "2026-01-01T00:00:00Z" }) as Run;

/** The server's stream, as the test lets it speak. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static last: Stream;
  readyState = 1;
  constructor() {
    super();
    Stream.last = this;
  }
  close() {
    this.readyState = Stream.CLOSED;
  }
  tell(type: string, data: unknown = {}) {
    act(() => void this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) })));
  }
}

vi.mock(import("../api/client"), async (original) => ({ ...(await original()), api: { GET: vi.fn() } as never }));
vi.mock("../tenancy/viewing", () => ({ viewing: () => null }));
vi.stubGlobal("EventSource", Stream);

/** What is asked for the run, each waiting for its answer. */
let asked: ((answer: Run) => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.mocked(api.GET).mockImplementation((path: string) =>
    path.endsWith("/log")
      ? (Promise.resolve({ data: { items: [line("1")], next_cursor: null } }) as never)
      : (new Promise((resolve) => asked.push((data) => resolve({ data }))) as never),
  );
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Watched />
    </QueryClientProvider>,
  );
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Watched() {
  const { data } = useQuery(runQuery("1"));
  const lines = useRunAsItGoes("1");
  return (
    <p>
      {data?.state ?? "unknown"}, {lines.length} lines
    </p>
  );
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

async function answer(which: number, told: Run) {
  asked[which]?.(told);
  await pass(1);
}

test("what the stream tells is not undone by an answer that set out before", async () => {
  Stream.last.tell("run", run("failed"));
  await answer(0, run("running"));
  expect(screen.getByText(/failed/)).toBeDefined();
});

test("when the stream ends, the run is asked for once more", async () => {
  await answer(0, run("running"));
  expect(screen.getByText(/running/)).toBeDefined();
  Stream.last.tell("end", { reason: "ended" });
  await answer(1, run("failed"));
  expect(screen.getByText(/failed/)).toBeDefined();
});

test("where there is no stream, the run and its log are asked for, however often it takes", async () => {
  await answer(0, run("running"));
  vi.mocked(api.GET).mockRejectedValueOnce(new Problem(502, "The server starts."));
  Stream.last.close();
  Stream.last.tell("error");
  await pass(2000);
  await answer(1, run("failed"));
  expect(screen.getByText("failed, 1 lines")).toBeDefined();
});

test("a stream that is silent for ever is not waited for", async () => {
  await answer(0, run("running"));
  await pass(10_000);
  await answer(1, run("failed"));
  expect(screen.getByText(/failed/)).toBeDefined();
});

test("lines that were told already are not told again", () => {
  const known = [line("1"), line("2")];
  expect(withNew(known, [line("2"), line("3")])).toEqual([line("1"), line("2"), line("3")]);
});

test("nothing new leaves the same list, so that nothing is drawn again", () => {
  const known = [line("1")];
  expect(withNew(known, [line("1")])).toBe(known);
});
