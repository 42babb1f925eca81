import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { guess } from "../lakehouse/sql/chart/choice";
import { specOf } from "../lakehouse/sql/chart/spec";
import { Chart } from "./Chart";

afterEach(cleanup);
vi.mock("@mantine/hooks", async (real) => ({
  ...(await real<typeof import("@mantine/hooks")>()),
  useElementSize: () => ({ ref: { current: null }, width: 600, height: 400 }),
}));

const COLUMNS = [
  { name: "shop.name", type: "string" },
  { name: "turnover", type: "decimal(10,2)" },
];
const ROWS = [
  ["Leeds", "10.50"],
  ["York", "7.25"],
  ["Bath", null],
];

test("rows become bars, without code that is made while the app runs", async () => {
  const evil = vi.spyOn(globalThis, "Function");
  render(
    <MantineProvider env="test">
      <Chart spec={specOf(guess(COLUMNS, ROWS), COLUMNS, ROWS)} description="Bars: turnover by shop.name." />
    </MantineProvider>,
  );
  const figure = screen.getByRole("figure", { name: "Bars: turnover by shop.name." });
  await waitFor(() => expect(figure.querySelectorAll(".mark-rect path").length).toBeGreaterThanOrEqual(2), {
    timeout: 15_000,
  });
  expect(figure.textContent).toContain("Leeds");
  expect(evil).not.toHaveBeenCalled();
}, 20_000);
