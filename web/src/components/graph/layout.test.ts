import { expect, test } from "vitest";
import { around, inOrder, LEAST, placed, wideEnough } from "./layout";

test("what flows on lies to the right of what it comes from", () => {
  const { at, height } = placed([
    [
      ["source", 100, 40],
      ["table", 100, 40],
    ],
    [["source", "table"]],
  ]);
  expect(at.get("table")?.x).toBeGreaterThan((at.get("source")?.x ?? 0) + 100);
  expect(height).toBeGreaterThanOrEqual(40);
});

test("what reads a thing stands beside it, even where its own way is short", () => {
  const size = (id: string): [string, number, number] => [id, 100, 40];
  const { at } = placed([
    ["volume", "long", "one", "two", "three", "short", "end"].map(size),
    [
      ["volume", "long"],
      ["long", "one"],
      ["one", "two"],
      ["two", "three"],
      ["three", "end"],
      ["volume", "short"],
      ["short", "end"],
    ],
  ]);
  expect(at.get("short")?.x).toBe(at.get("long")?.x);
});

test("a circle is laid out as well", () => {
  const { at } = placed([[["one", 10, 10]], [["one", "one"]]]);
  expect(at.size).toBe(1);
});

test("one begins at what the graph is about, and looks not beyond its end", () => {
  const all = { x: 0, y: 0, width: 2000, height: 40 };
  const frame = [500, 200] as const;
  const { x, zoom } = around(all, { x: 1900, y: 0, width: 100, height: 40 }, frame);
  expect(zoom).toBe(LEAST);
  expect(x + 2000 * zoom).toBeCloseTo(500 - 24);
  expect(around(all, { x: 0, y: 0, width: 100, height: 40 }, frame).x).toBe(24);
  expect(around(all, { x: 950, y: 0, width: 100, height: 40 }, frame).x).toBe(250 - 1000 * zoom);
});

test("the Tab key goes from left to right, and from top to bottom", () => {
  const nodes = [
    { id: "third", position: { x: 9, y: 0 } },
    { id: "second", position: { x: 0, y: 5 } },
    { id: "first", position: { x: 0, y: 0 } },
  ];
  expect(inOrder(nodes).map((node) => node.id)).toEqual(["first", "second", "third"]);
});

test("a card is as wide as its text, within reason", () => {
  expect(wideEnough("a")).toBe(130);
  expect(wideEnough("a", "twenty letters, more")).toBeGreaterThan(200);
  expect(wideEnough("x".repeat(200))).toBe(260);
});
