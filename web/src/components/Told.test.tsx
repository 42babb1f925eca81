import { MantineProvider, NumberInput, PasswordInput, Select, TextInput } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import { type Decision, Problem } from "../api/client";
import { Columns } from "../lakehouse/tables/Columns";
import { Told } from "./Told";

afterEach(cleanup);

const EMPTY = { problem: "It is empty.", fix: "Give something." };

function wrong(...fields: string[]): Problem {
  return new Problem(
    422,
    "…",
    "",
    undefined,
    fields.map((field) => ({ field, ...EMPTY })),
  );
}

function form(error: Error | null, children: ReactNode) {
  return (
    <MantineProvider>
      <form>
        {children}
        <Told error={error} />
        <button type="submit">Save</button>
      </form>
    </MantineProvider>
  );
}

test("what is about a field stands at that field, by its label", () => {
  const fields = (
    <>
      <TextInput label="Why" name="reason" />
      <PasswordInput label="Password until now" name="old_password" />
      <NumberInput label="For how many days" name="expires_in_days" />
      <Select label="Layer" name="output_layer_id" data={["raw"]} />
      <TextInput label="Its name" name="resource" />
      <TextInput label="Another" name="other" />
    </>
  );
  const names = ["reason", "old_password", "expires_in_days", "output_layer_id", "resource.name"];
  const { rerender } = render(form(wrong(...names), fields));
  for (const label of ["Why", "Password until now", "For how many days", "Layer", "Its name"]) {
    const input = screen.getByLabelText(label, { selector: "input" });
    expect(input.getAttribute("aria-invalid")).toBe("true");
    const message = document.getElementById(input.getAttribute("aria-errormessage") ?? "");
    expect(message?.textContent).toBe("It is empty. Give something.");
    expect(input.closest(".mantine-InputWrapper-root")?.contains(message)).toBe(true);
  }
  expect(screen.getAllByRole("alert")).toHaveLength(5);
  expect(screen.getByLabelText("Another").getAttribute("aria-invalid")).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText("Why"));

  // The next attempt takes away what was said of the last one.
  rerender(form(null, fields));
  expect(screen.queryAllByRole("alert")).toHaveLength(0);
  expect(screen.getByLabelText("Why").getAttribute("aria-invalid")).toBeNull();
});

test("of several alike, the one that is wrong is marked", () => {
  const columns = [0, 1].map((key) => ({ key, name: "x y", type: "int", description: "" }));
  const fields = (
    <>
      <TextInput label="Name" name="name" />
      <Columns value={columns} onChange={() => {}} />
      <TextInput label="Host" name="host" />
    </>
  );
  render(form(wrong("columns.1.name", "connection.host"), fields));
  const marked = screen.getAllByRole("textbox").filter((input) => input.getAttribute("aria-invalid") === "true");
  expect(marked).toEqual([screen.getByLabelText("Name of column 2"), screen.getByLabelText("Host")]);
});

test("what has no field here is said in words", () => {
  render(form(wrong("columns.1.name", "old_password"), <TextInput label="Why" name="reason" />));
  const told = screen.getByRole("alert").textContent;
  expect(told).toContain("Columns 2, name: It is empty. Give something.");
  expect(told).toContain("Old password: It is empty. Give something.");
});

test("what was said at a field is not said there twice", () => {
  const fields = (
    <>
      <TextInput label="Cron" name="cron" />
      <Told error={wrong("cron")} />
    </>
  );
  render(form(wrong("cron"), fields));
  expect(screen.getAllByRole("alert")).toHaveLength(1);
});

test("any other error is told as it is", () => {
  render(form(new Error("The server cannot be reached."), null));
  expect(screen.getByRole("alert").textContent).toBe("The server cannot be reached.");
});

test("a refusal says what it takes and which row decided", () => {
  const decision = {
    action_name: "See members",
    document: "tenant",
    table: "Tenant roles",
    row: "See members",
    column: "none",
    missing: [[{ fact: "tenant role", has: "none", needs: "admin", given_by: "tenant owners" }]],
  } as unknown as Decision;
  render(form(new Problem(403, "…", "", decision), null));
  const said = screen.getByRole("alert").textContent;
  expect(said).toContain("“See members” is not for you here");
  expect(said).toContain("It takes tenant role admin (it is none), given by tenant owners.");
  expect(said).toContain("row “See members”, column “none”");
});
