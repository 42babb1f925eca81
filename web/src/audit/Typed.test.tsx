import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { Typed } from "./Typed";

afterEach(cleanup);

const seek = vi.fn();

function Narrowed({ of, meant }: { of?: string[]; meant?: ReadonlyMap<string, string> }) {
  const [kind, setKind] = useState<string>();
  return (
    <MantineProvider env="test">
      <Typed
        label="Kind"
        of={of}
        meant={meant}
        value={kind}
        onChange={(word) => {
          seek(word);
          setKind(word);
        }}
      />
      <button type="button" onClick={() => setKind(undefined)}>
        Without
      </button>
    </MantineProvider>
  );
}

test("what no longer narrows does not stand there, nor comes back", async () => {
  render(<Narrowed />);
  const field = screen.getByRole<HTMLInputElement>("combobox", { name: "Kind" });
  await userEvent.type(field, "saved query{Enter}");
  expect(seek).toHaveBeenLastCalledWith("saved_query");
  await userEvent.click(screen.getByRole("button", { name: "Without" }));
  expect(field.value).toBe("");
  await userEvent.click(field);
  await userEvent.tab();
  expect(seek).toHaveBeenCalledTimes(1);
});

test("what only one is offered for means that one", async () => {
  const meant = new Map([
    ["gave a level", "give_level"],
    ["took a level", "take_level"],
  ]);
  render(<Narrowed of={[...meant.keys()]} meant={meant} />);
  const field = screen.getByRole<HTMLInputElement>("combobox", { name: "Kind" });
  await userEvent.type(field, "gave{Enter}");
  expect(seek).toHaveBeenLastCalledWith("give_level");
  expect(field.value).toBe("gave a level");
  await userEvent.clear(field);
  await userEvent.type(field, "level{Enter}");
  expect(seek).toHaveBeenLastCalledWith("level");
});
