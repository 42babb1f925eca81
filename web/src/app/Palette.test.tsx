import { MantineProvider } from "@mantine/core";
import { IconDatabase } from "@tabler/icons-react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, Problem } from "../api/client";
import { Palette } from "./Palette";
import { palette } from "./paletteStore";
import type { Place } from "./places";

const went = vi.fn();
vi.mock(import("../api/client"), async (original) => ({ ...(await original()), api: { GET: vi.fn() } as never }));
vi.mock("../tenancy/viewing", () => ({ viewing: () => null }));
const may: string[] = [];
vi.mock(import("../tenancy/session"), async (original) => ({
  ...(await original()),
  useMe: () => ({ tenant: { actions: may } }) as never,
}));
vi.mock(import("@tanstack/react-router"), async (original) => ({ ...(await original()), useNavigate: () => went }));

const PLACES: Place[] = [{ to: "/tables", name: "Tables", icon: IconDatabase, under: "Data" }];

/** What was asked for, to be answered when the test says so. */
let asked: Map<string, { answer: (names: string[], isAll?: boolean) => void; refuse: (problem: Problem) => void }>;

beforeEach(() => {
  asked = new Map();
  may.length = 0;
  went.mockClear();
  vi.mocked(api.GET).mockImplementation(
    ((_: string, { params }: { params: { query: { q: string } } }) =>
      new Promise((resolve, reject) => {
        asked.set(params.query.q, {
          answer: (names, isAll = false) => {
            const items = names.map((name) => ({ type: "member", id: name, name, about: `${name}@example.com` }));
            resolve({ data: { items, is_all: isAll } });
          },
          refuse: reject,
        });
      })) as never,
  );
});
afterEach(async () => {
  for (const one of asked.values()) await act(async () => one.answer([])); // else the next waits for its turn
  act(palette.close);
  cleanup();
  vi.restoreAllMocks();
});

async function open() {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Palette places={PLACES} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  act(palette.open);
  return screen.findByLabelText("Go to");
}

async function putInstead(field: HTMLElement, text: string) {
  await userEvent.clear(field);
  await userEvent.paste(text);
}

async function answer(text: string, names: string[], isAll?: boolean) {
  await waitFor(() => expect(asked.has(text)).toBe(true));
  await act(async () => asked.get(text)?.answer(names, isAll));
}

const lit = () => document.querySelector("[data-selected]")?.textContent;
const member = (memberId: string) => ({ to: "/members/$memberId", params: { memberId } });

test("what was found is lit once it is there, and Enter goes there", async () => {
  const field = await open();
  expect(screen.getByRole("dialog", { name: "Find anything" })).toBeDefined();
  await userEvent.type(field, "x");
  await answer("x", ["Max", "Xenia"]);
  await waitFor(() => expect(lit()).toContain("Max"));
  await userEvent.type(field, "{ArrowDown}{Enter}");
  expect(went).toHaveBeenCalledExactlyOnceWith(member("Xenia"));
});

test("Enter never takes what was found for something else, but waits for the answer", async () => {
  const field = await open();
  await userEvent.type(field, "b");
  await answer("b", ["Ben"]);
  await waitFor(() => expect(lit()).toContain("Ben"));
  await putInstead(field, "z");
  await userEvent.keyboard("{Enter}");
  expect(screen.getByRole("button", { name: /Ben/ }).hasAttribute("disabled")).toBe(true);
  expect(went).not.toHaveBeenCalled();
  await answer("z", ["Zoe"]);
  await waitFor(() => expect(went).toHaveBeenCalledExactlyOnceWith(member("Zoe")));
});

test("Enter is forgotten once one types on, and where nothing is called so", async () => {
  const field = await open();
  await userEvent.type(field, "z{Enter}o");
  await answer("z", ["Zoe"]);
  await answer("zo", ["Zoe"]);
  await waitFor(() => expect(lit()).toContain("Zoe"));
  await putInstead(field, "q");
  await userEvent.keyboard("{Enter}");
  await answer("q", []);
  await waitFor(() => expect(lit()).toContain("Ask for access to q"));
  expect(went).not.toHaveBeenCalled();
});

test("who sees everything is not sent to ask for what is not there", async () => {
  may.push("see_every_audit_entry");
  const field = await open();
  await userEvent.type(field, "q");
  await answer("q", []);
  expect(await screen.findByText("Nothing that you may see is called so")).toBeDefined();
  expect(screen.queryByText("Ask for access to q")).toBeNull();
});

test("what is all there is, is narrowed as one types on, and nobody is asked again", async () => {
  const field = await open();
  await userEvent.type(field, "z");
  await answer("z", ["Kizza", "Zoe"], true);
  await userEvent.type(field, "ox");
  await waitFor(() => expect(lit()).toContain("Ask for access to zox"));
  await userEvent.keyboard("{Backspace}{Enter}");
  expect(went).toHaveBeenCalledExactlyOnceWith(member("Zoe"));
  expect([...asked.keys()]).toEqual(["z"]);
});

test("until something else is answered, what was narrowed stands there", async () => {
  const field = await open();
  await userEvent.type(field, "z");
  await answer("z", ["Kizza", "Zoe"], true);
  await userEvent.type(field, "o.");
  expect(screen.getByRole("button", { name: /Zoe/ }).hasAttribute("disabled")).toBe(true);
  expect(screen.queryByRole("button", { name: /Kizza/ })).toBeNull();
  await answer("zo.", ["Zo.ra"]);
  expect(await screen.findByRole("button", { name: /Zo.ra/ })).toBeDefined();
});

test("what was known a while ago is asked anew, and at once by whoever begins anew", async () => {
  const field = await open();
  for (const _ of ["first", "again"]) {
    asked.delete("z");
    await userEvent.clear(field);
    await userEvent.type(field, "z");
    await answer("z", ["Zoe"], true);
  }
  const later = Date.now() + 60_000;
  vi.spyOn(Date, "now").mockImplementation(() => later);
  await userEvent.type(field, "o");
  await answer("zo", ["Zoe", "Zora"]);
  expect(await screen.findByRole("button", { name: /Zora/ })).toBeDefined();
});

test("a page that is called so comes first, and nothing is waited for", async () => {
  const field = await open();
  await userEvent.type(field, "b");
  await answer("b", ["Tabea"]);
  await putInstead(field, "tab");
  expect(lit()).toContain("Tables");
  await answer("tab", ["Tabea"]);
  await waitFor(() => expect(screen.getByRole("button", { name: /member/ }).hasAttribute("disabled")).toBe(false));
  expect(lit()).toContain("Tables");
  await putInstead(field, "tables");
  await userEvent.keyboard("{Enter}");
  expect(went).toHaveBeenCalledExactlyOnceWith({ to: "/tables" });
});

test("what the server says is wrong is told, and not that there is nothing", async () => {
  const field = await open();
  await userEvent.type(field, "q");
  await waitFor(() => expect(asked.has("q")).toBe(true));
  await act(async () => asked.get("q")?.refuse(new Problem(422, "That is too long.")));
  expect((await screen.findByRole("alert")).textContent).toContain("That is too long.");
  expect(screen.queryByText(/called so/)).toBeNull();
});
