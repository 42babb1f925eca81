import { QueryClient, QueryClientProvider, useMutation } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useOnce } from "./once";

afterEach(cleanup);

test("a double click starts one thing, and a later click another", async () => {
  const start = vi.fn(() => new Promise((resolve) => setTimeout(resolve, 20)));
  function RunNow() {
    const run = useMutation({ mutationFn: start });
    const once = useOnce(run);
    return (
      <button type="button" onClick={() => once()}>
        {run.isPending ? "It starts" : "Run now"}
      </button>
    );
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RunNow />
    </QueryClientProvider>,
  );
  const button = screen.getByRole("button");
  fireEvent.click(button);
  fireEvent.click(button);
  expect(await screen.findByText("It starts")).toBeDefined();
  expect(await screen.findByText("Run now")).toBeDefined();
  expect(start).toHaveBeenCalledTimes(1);
  fireEvent.click(button);
  await waitFor(() => expect(start).toHaveBeenCalledTimes(2));
});
