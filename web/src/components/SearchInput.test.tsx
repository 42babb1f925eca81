import { MantineProvider } from "@mantine/core";
import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { SearchInput } from "./SearchInput";

afterEach(cleanup);

/** An address that follows when the test says so, and can be changed by others. */
function show() {
  const asked: (string | undefined)[] = [];
  let go: (value: string | undefined) => void = () => {};
  function Page() {
    const [value, setValue] = useState<string>();
    go = setValue;
    return <SearchInput label="Find" value={value} set={(sought) => asked.push(sought)} />;
  }
  render(
    <MantineProvider>
      <Page />
    </MantineProvider>,
  );
  return {
    asked,
    field: screen.getByRole<HTMLInputElement>("searchbox"),
    address: (value: string | undefined) => act(() => go(value)),
  };
}

test("the field shows what the address says, whoever changed that", async () => {
  const { asked, field, address } = show();
  await userEvent.type(field, "ab ");
  address("ab");
  expect(field.value).toBe("ab ");
  address(undefined);
  expect(field.value).toBe("");
  address("ab");
  expect(field.value).toBe("ab");
  expect(asked).toEqual(["a", "ab"]);
});

test("an address that is slower than the keys takes none away", async () => {
  const { asked, field, address } = show();
  await userEvent.type(field, "abc");
  address("a");
  expect(field.value).toBe("abc");
  await userEvent.type(field, "d");
  address("abc");
  expect(field.value).toBe("abcd");
  address("abcd");
  expect(field.value).toBe("abcd");
  expect(asked).toEqual(["a", "ab", "abc", "abcd"]);
  address("abc");
  expect(field.value).toBe("abc");
});
