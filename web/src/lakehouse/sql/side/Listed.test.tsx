import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { PageOf } from "../../../components/ResourceList";
import { Listed } from "./Listed";

afterEach(cleanup);

test("nothing is said to be missing before the answer is there", async () => {
  const client = new QueryClient();
  let answer = () => {};
  const listed = (search: string) => (
    <MantineProvider>
      <QueryClientProvider client={client}>
        <Listed
          of={["tables", search]}
          read={() =>
            new Promise<PageOf<{ id: string }>>((resolve) => {
              answer = () => resolve({ items: [], next_cursor: null });
            })
          }
          show={() => null}
          empty={search ? "No table is called so." : "You see no table yet."}
        />
      </QueryClientProvider>
    </MantineProvider>
  );
  const { rerender } = render(listed("xyz"));
  await act(async () => answer());
  expect(await screen.findByText("No table is called so.")).toBeDefined();
  rerender(listed(""));
  expect(screen.queryByText(/table/)).toBeNull();
  await act(async () => answer());
  expect(await screen.findByText("You see no table yet.")).toBeDefined();
});
