import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { api } from "../api/client";
import type { State } from "../tenancy/words";
import { MemberPicker } from "./Pickers";

afterEach(cleanup);
vi.mock(import("../api/client"), async (original) => ({ ...(await original()), api: { GET: vi.fn() } as never }));
vi.mock("../tenancy/session", () => ({ useMe: () => ({}), mayInTenant: () => true }));

async function offered(takes: State[] | undefined) {
  const items = ["active", "invited", "waiting"].map((state) => ({
    id: state,
    name: "Cy",
    email: `${state}@x.org`,
    state,
  }));
  vi.mocked(api.GET).mockResolvedValue({ data: { items } } as never);
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemberPicker label="Person" value={null} onChange={() => {}} takes={takes} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await userEvent.click(screen.getByRole("combobox", { name: "Person" }));
  const options = await screen.findAllByRole("option");
  return Object.fromEntries(
    options.map((option) => [option.textContent, option.getAttribute("aria-disabled") !== "true"]),
  );
}

test("who has not joined yet is found and marked, and chosen where the server takes them", async () => {
  const [active, invited, waiting] = [
    "Cy (active@x.org)",
    "Cy (invited@x.org), invited",
    "Cy (waiting@x.org), waiting",
  ];
  expect(await offered(["invited", "active"])).toEqual({ [active]: true, [invited]: true, [waiting]: false });
  cleanup();
  expect(await offered(undefined)).toEqual({ [active]: true, [invited]: true, [waiting]: true });
});
