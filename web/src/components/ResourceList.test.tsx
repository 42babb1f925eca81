import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { afterEach, expect, test } from "vitest";
import { Problem } from "../api/client";
import { type PageOf, ResourceList } from "./ResourceList";
import { BY_NAME, type ByName } from "./sorting";

interface Thing {
  id: string;
  name: string;
}

afterEach(cleanup);

function show(read: (page: { cursor?: string }) => Promise<PageOf<Thing>>) {
  around(
    <ResourceList
      of={["things"]}
      read={read}
      columns={[{ name: "Name", cell: (thing) => thing.name }]}
      empty={<p>Nothing yet</p>}
    />,
  );
}

function around(list: ReactNode) {
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        {list}
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test("pages follow each other until there is none", async () => {
  const pages: Record<string, PageOf<Thing>> = {
    "": { items: [{ id: "1", name: "first" }], next_cursor: "more" },
    more: { items: [{ id: "2", name: "second" }], next_cursor: null },
  };
  show(async ({ cursor = "" }) => pages[cursor] ?? { items: [], next_cursor: null });
  expect(await screen.findByText("first")).toBeDefined();
  expect(screen.queryByText("second")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Show more" }));
  expect(await screen.findByText("second")).toBeDefined();
  expect(screen.getByText("first")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

test("where there is nothing, it says what would be there", async () => {
  show(async () => ({ items: [], next_cursor: null }));
  expect(await screen.findByText("Nothing yet")).toBeDefined();
});

test("nothing is said to be missing before the answer is there", async () => {
  const answers = new Map<string, () => void>();
  function Sought() {
    const [sought, setSought] = useState<string | undefined>("xyz");
    return (
      <ResourceList<Thing>
        of={["things"]}
        read={({ search = "" }) =>
          new Promise((resolve) => answers.set(search, () => resolve({ items: [], next_cursor: null })))
        }
        columns={[{ name: "Name", cell: (thing) => thing.name }]}
        empty={<p>Nothing yet</p>}
        search={{ value: sought, set: setSought, label: "Find" }}
      />
    );
  }
  around(<Sought />);
  await act(async () => answers.get("xyz")?.());
  expect(await screen.findByText("Nothing fits “xyz”.")).toBeDefined();
  await userEvent.clear(screen.getByRole("searchbox"));
  expect(screen.queryByText(/Nothing/)).toBeNull();
  await act(async () => answers.get("")?.());
  expect(await screen.findByText("Nothing yet")).toBeDefined();
});

test("where filters leave nothing, they are lifted from there, and one types on in the search", async () => {
  function Filtered() {
    const [only, setOnly] = useState<string | undefined>("failed");
    const [sought, setSought] = useState<string | undefined>("xyz");
    const unfilter = () => {
      setOnly(undefined);
      setSought(undefined);
    };
    return (
      <ResourceList<Thing>
        of={["things", only]}
        read={async () => ({ items: only ? [] : [{ id: "1", name: "first" }], next_cursor: null })}
        columns={[{ name: "Name", cell: (thing) => thing.name }]}
        empty={<p>Nothing yet</p>}
        search={{ value: sought, set: setSought, label: "Find" }}
        unfilter={only ? unfilter : undefined}
      />
    );
  }
  around(<Filtered />);
  expect(await screen.findByText("Nothing fits “xyz” and the filters.")).toBeDefined();
  expect(screen.queryByText("Nothing yet")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Clear the search and the filters" }));
  expect(await screen.findByText("first")).toBeDefined();
  expect(document.activeElement).toBe(screen.getByRole("searchbox"));
});

test("a problem is told in the server's words", async () => {
  show(async () => {
    throw new Problem(403, "You may not see members.");
  });
  expect((await screen.findByRole("alert")).textContent).toContain("You may not see members.");
});

test("pressing a head sorts on the server, and the head tells which way", async () => {
  function Sorted() {
    const [order, setOrder] = useState<ByName>();
    return (
      <ResourceList
        of={["things"]}
        read={async ({ sort = "name" }) => ({ items: [{ id: sort, name: `sorted by ${sort}` }], next_cursor: null })}
        columns={[
          { name: "Name", sort: "name", cell: (thing: Thing) => thing.name },
          { name: "Size", cell: () => "1" },
        ]}
        empty={null}
        sort={{ value: order, set: setOrder, known: BY_NAME }}
      />
    );
  }
  around(<Sorted />);
  expect(await screen.findByText("sorted by name")).toBeDefined();
  const head = screen.getByRole("columnheader", { name: "Name" });
  expect(head.getAttribute("aria-sort")).toBe("ascending");
  expect(screen.getByRole("columnheader", { name: "Size" }).hasAttribute("aria-sort")).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Name" }));
  expect(await screen.findByText("sorted by -name")).toBeDefined();
  expect(head.getAttribute("aria-sort")).toBe("descending");
  await userEvent.click(screen.getByRole("button", { name: "Name" }));
  expect(await screen.findByText("sorted by name")).toBeDefined();
});
