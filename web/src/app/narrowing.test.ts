import { expect, test } from "vitest";
import { type Found, goesOn, narrow } from "./narrowing";

const thing = (type: Found["type"], name: string, about = ""): Found => ({ type, id: name, name, about });
const names = (found: readonly Found[], text: string) => narrow(found, text).map((one) => one.name);

// In the order of the server's answer to "or"; what it answers to longer texts is in tests/search/test_search.py.
const FOUND = [
  thing("table", "raw.orders"),
  thing("project", "Orders"),
  thing("layer", "orders_layer"),
  thing("source", "Orders from the shop"),
  thing("query", "Sum of orders"),
  thing("saved_query", "Big orders"),
  thing("member", "Otto Orders", "otto.orders@example.com"),
  thing("member", "Nora", "nora@example.com"),
  thing("group", "Reorders"),
];

test("every word has to be in the name, however it is written, and the best comes first", () => {
  expect(names(FOUND, "orders")).toEqual(FOUND.map((one) => one.name).filter((name) => name !== "Nora"));
  expect(names([...FOUND].reverse(), "orders")).toEqual(names(FOUND, "orders"));
  expect(names(FOUND, "SHOP  orders")).toEqual(["Orders from the shop"]);
  expect(names(FOUND, "orders shop nowhere")).toEqual([]);
});

test("of what fits equally well, the order is the server's", () => {
  const tables = [thing("project", "Sales report"), thing("table", "sales.net_sales"), thing("table", "raw.my_sales")];
  expect(names(tables, "sales")).toEqual(["sales.net_sales", "Sales report", "raw.my_sales"]);
  const inside = [thing("project", "Sales and data"), thing("table", "raw.data_sales")];
  expect(names(inside, "sales d")).toEqual(["raw.data_sales", "Sales and data"]);
});

test("a letter that is small in several ways is found", () => {
  expect(names([thing("member", "İpek", "1@example.com")], "ipek")).toEqual(["İpek"]);
});

test("members are found by their address, tables by their own name and not by their layer's", () => {
  expect(names(FOUND, "nora@exam")).toEqual(["Nora"]);
  expect(names(FOUND, "otto example")).toEqual(["Otto Orders"]);
  expect(names(FOUND, "raw")).toEqual([]);
});

test("a text goes on where what fits it fits the one before", () => {
  expect(goesOn("za", "zac")).toBe(true);
  expect(goesOn("za", "za z")).toBe(true);
  expect(goesOn("za", "za")).toBe(true);
  expect(goesOn("za", "zo")).toBe(false);
  expect(goesOn("zac", "za")).toBe(false);
  expect(goesOn("raw", "raw.o")).toBe(false); // now a layer is meant
  expect(goesOn("stra", "straß")).toBe(false); // a database may keep it in another way
});
