import { expect, test } from "vitest";
import { said, whereIs } from "./granted";

test("a role in a project leads to the project", () => {
  const granted = { what: "Admin in the project Sales", project_id: "7", project: "Sales", role: "Admin" };
  expect(whereIs(granted)).toEqual({
    before: "Admin in the project ",
    name: "Sales",
    page: { to: "/projects/$projectId", params: { projectId: "7" } },
  });
});

test("a level leads to what it is on", () => {
  const granted = { what: "Viewer on the table mart.orders", table_id: "3", table: "mart.orders" };
  expect(whereIs(granted)?.page).toEqual({ to: "/tables/$tableId", params: { tableId: "3" } });
});

test("what is only counted leads nowhere", () => {
  const granted = { what: "a level on 12 more layers, tables and volumes" };
  expect(whereIs(granted)).toBeUndefined();
  expect(said(granted)).toBe("a level on 12 more layers, tables and volumes");
});
