import { expect, test } from "vitest";
import { lasted, missingTables, namedTables, offsetOf, placeIn, withoutPlace } from "./statement";

test.each<[string, [string, string][]]>([
  ["select * from raw.orders", [["raw.orders", "orders"]]],
  [
    "select * from raw.orders o join trusted.shops as s on o.shop = s.id",
    [
      ["raw.orders", "o"],
      ["trusted.shops", "s"],
    ],
  ],
  ["select * from raw.orders where x = 1", [["raw.orders", "orders"]]],
  [
    "select * from raw.orders, raw.lines l",
    [
      ["raw.orders", "orders"],
      ["raw.lines", "l"],
    ],
  ],
  ["select * from `raw`.`orders` version as of 3", [["raw.orders", "orders"]]],
  ["select 'from raw.secret' -- from raw.other\n/* join raw.third */ from raw.orders o", [["raw.orders", "o"]]],
  ["select 1", []],
])("%s names its tables", (sql, named) => {
  expect(namedTables(sql)).toEqual(named.map(([table, alias]) => ({ table, alias })));
});

test("a mistake is found in the text, wherever the statement stands there", () => {
  const message = "A column with name `frm` cannot be resolved. (line 2, position 2)";
  const sql = "select \n frm x";
  const place = placeIn(message);
  expect(place).toEqual({ line: 2, position: 2 });
  expect(withoutPlace(message)).toBe("A column with name `frm` cannot be resolved.");
  if (!place) return;
  const text = `-- before\n${sql}`;
  expect(text.slice(offsetOf(text, sql, place))).toBe("frm x");
  expect(offsetOf("something else", sql, place)).toBeUndefined();
});

test("Spark's own drawing of the place is left out", () => {
  const message = "Division by zero.\n== SQL (line 1, position 8) ==\nselect 1/0\n       ^^^";
  expect(withoutPlace(message)).toBe("Division by zero.");
  expect(placeIn(message)).toEqual({ line: 1, position: 8 });
});

test("a refusal says which tables", () => {
  const code = "table_not_found";
  expect(missingTables({ code, message: "Table not found: raw.a, raw.b." })).toEqual(["raw.a", "raw.b"]);
  expect(missingTables({ code: "invalid", message: "Anything: raw.a." })).toEqual([]);
});

test("how long it took", () => {
  expect([12.4, 1250, 125_000].map(lasted)).toEqual(["12 ms", "1.3 s", "2 min 5 s"]);
});
