import { readFileSync } from "node:fs";
import { DEFAULT_THEME } from "@mantine/core";
import { expect, test } from "vitest";
import { variables } from "./theme";

const SHEETS = Object.keys(import.meta.glob("../**/*.css")).map((name) => ({
  name,
  text: readFileSync(`${import.meta.dirname}/${name}`, "utf8"),
}));

test("no style sheet says light-dark(), which the build would make into nothing", () => {
  expect(SHEETS.length).toBeGreaterThan(2);
  expect(SHEETS.filter(({ text }) => text.includes("light-dark(")).map(({ name }) => name)).toEqual([]);
});

test("what a style sheet takes from us is there in light and in dark", () => {
  const { light, dark } = variables(DEFAULT_THEME);
  const used = new Set(SHEETS.flatMap(({ text }) => text.match(/--bailiwick-[\w-]+/g) ?? []));
  expect(used.size).toBeGreaterThan(0);
  for (const name of used) expect([name in light, name in dark]).toEqual([true, true]);
});
