import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Grid } from "./Grid";

afterEach(cleanup);
// Where nothing is laid out, nothing would be in sight.
vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(400);
vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);

const COLUMNS = [
  { name: "id", type: "bigint" },
  { name: "said", type: "string" },
];

function show(count: number, more: { total?: number; onEnd?: () => void } = {}) {
  const rows = Array.from({ length: count }, (_, at) => [at, at % 2 ? null : `row ${at}`]);
  render(
    <MantineProvider env="test">
      <Grid columns={COLUMNS} rows={rows} {...more} />
    </MantineProvider>,
  );
  return screen.getByRole("grid");
}

test("of many rows only those in sight are in the page, and all are counted", () => {
  const grid = show(100_000);
  expect(grid.getAttribute("aria-rowcount")).toBe("100001");
  expect(grid.querySelectorAll("tbody tr").length).toBeLessThan(60);
  expect(screen.getByText("row 0")).toBeDefined();
  expect(screen.getAllByText("null").length).toBeGreaterThan(0);
});

test("more is asked for where what is here ends, and not before", () => {
  const early = vi.fn();
  show(10_000, { onEnd: early });
  expect(early).not.toHaveBeenCalled();
  cleanup();
  const late = vi.fn();
  const grid = show(100, { total: 5000, onEnd: late });
  expect(late).toHaveBeenCalled();
  expect(grid.getAttribute("aria-rowcount")).toBe("5001");
});

test("the keyboard goes from cell to cell, and Enter shows the whole of one", async () => {
  const grid = show(10);
  const keys = userEvent.setup();
  await keys.tab();
  expect(document.activeElement).toBe(grid);
  await keys.keyboard("{ArrowDown}{ArrowDown}{ArrowRight}");
  const active = document.getElementById(grid.getAttribute("aria-activedescendant") ?? "");
  expect(active?.textContent).toBe("row 2");
  await keys.keyboard("{Enter}");
  expect((await screen.findByRole("dialog")).textContent).toContain("said · string");
});
