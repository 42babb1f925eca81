import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FoundSelect } from "./FoundSelect";

const PEOPLE = ["Ada", "Nina", "Tess", "Tessa"];
const sent = vi.fn();

/** Who waits for an answer: while it is held, it comes once the test says so. */
let held: (() => void)[];
let round = 0; // what one test leaves unanswered, the next does not wait for
let holds: boolean;

beforeEach(() => {
  held = [];
  round += 1;
  holds = false;
  sent.mockClear();
});
afterEach(async () => {
  await release();
  cleanup();
});

async function release() {
  await act(async () => {
    for (const answer of held.splice(0)) answer();
  });
}

function find(search: string) {
  const found = PEOPLE.filter((name) => name.toLowerCase().includes(search.toLowerCase()));
  const choices = found.map((name) => ({ value: name, label: name }));
  return holds ? new Promise<typeof choices>((resolve) => held.push(() => resolve(choices))) : Promise.resolve(choices);
}

function Form({ first }: { first: string | null }) {
  const [who, setWho] = useState(first);
  return (
    <form
      aria-label="Give"
      onSubmit={(event) => {
        event.preventDefault();
        sent(who);
      }}
    >
      <FoundSelect
        of={["people", round]}
        find={find}
        called={async (value) => value}
        label="Person"
        value={who}
        onChange={setWho}
        nothingFoundMessage="Nobody is called so"
      />
      <output>{who ?? "nobody"}</output>
      <button type="submit">Give</button>
    </form>
  );
}

async function show(first: string | null = null) {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Form first={first} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>("combobox", { name: "Person" });
  await userEvent.click(field);
  await waitFor(() => expect(offered()).toEqual(PEOPLE));
  return field;
}

async function put(text: string) {
  await userEvent.clear(screen.getByRole("combobox"));
  await userEvent.paste(text);
}

const offered = () =>
  screen
    .queryAllByRole("option")
    .filter((option) => option.getAttribute("aria-disabled") !== "true")
    .map((option) => option.textContent);
const chosen = () => screen.getByRole("status").textContent;

test("the one chosen is offered only where it fits, and is not un-chosen by choosing another", async () => {
  const field = await show("Nina");
  await put("tess");
  await waitFor(() => expect(offered()).toEqual(["Tess", "Tessa"]));
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  expect(chosen()).toBe("Tessa");
  expect(field.value).toBe("Tessa");
  await put("zoe");
  expect(await screen.findByText("Nobody is called so")).toBeDefined();
  await put("tessa");
  await waitFor(() => expect(offered()).toEqual(["Tessa"]));
  await userEvent.keyboard("{ArrowDown}{Enter}");
  expect(chosen()).toBe("Tessa");
});

test("what was found for something else cannot be chosen, and nothing is said before the answer", async () => {
  await show();
  holds = true;
  await put("tess");
  expect(screen.queryAllByRole("option")).toHaveLength(4);
  expect(offered()).toEqual([]);
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await userEvent.click(screen.getByRole("option", { name: "Ada" }));
  expect(chosen()).toBe("nobody");
  await waitFor(async () => {
    await release();
    expect(offered()).toEqual(["Tess", "Tessa"]);
  });
  await userEvent.keyboard("{Enter}");
  expect(chosen()).toBe("nobody");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  expect(chosen()).toBe("Tess");
  await put("zoe");
  await waitFor(async () => {
    await release();
    screen.getByText("Nobody is called so");
  });
  await put("nin");
  expect(screen.queryByText("Nobody is called so")).toBeNull();
});

test("a whole name is looked for like a part of it", async () => {
  await show();
  await put("Tess");
  await waitFor(() => expect(offered()).toEqual(["Tess", "Tessa"]));
});

test("a form is not sent with the one chosen before while another name stands there", async () => {
  await show("Nina");
  await userEvent.keyboard("{Escape}{Enter}");
  expect(sent).toHaveBeenCalledExactlyOnceWith("Nina");
  await put("tess");
  await waitFor(() => expect(offered()).toEqual(["Tess", "Tessa"]));
  await userEvent.keyboard("{Enter}");
  expect(sent).toHaveBeenCalledTimes(1);
});
