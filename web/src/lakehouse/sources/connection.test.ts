import { expect, test } from "vitest";
import { secretOf } from "../pipelines/secrets";
import { CHOICES, formatOf, freshRead, pointsTo, readsWhat } from "./connection";

const fresh = (type: string) => {
  const found = CHOICES.find((one) => one.type === type);
  if (!found) throw new Error(type);
  return found.fresh;
};

test("a secret is asked for where there is one", () => {
  const http = fresh("http");
  expect(secretOf(fresh("files"))).toBeNull();
  expect(secretOf(fresh("postgresql"))).toBe("Password");
  expect(secretOf(http)).toBeNull();
  if (http.type === "http") expect(secretOf({ ...http, authentication: "bearer" })).toBe("Token");
});

test("where it points is said in a line", () => {
  const postgresql = fresh("postgresql");
  if (postgresql.type !== "postgresql") throw new Error("no");
  expect(pointsTo({ ...postgresql, host: "db.example.com", database: "shop" })).toBe("shop on db.example.com:5432");
  expect(pointsTo(fresh("files"))).toBe("csv in a volume");
});

test("what a stream reads is said in a line", () => {
  expect(readsWhat({ type: "files", pattern: "*.csv" })).toBe("*.csv");
  const read = freshRead("postgresql");
  if (read.type === "postgresql") expect(readsWhat({ ...read, table: "orders" })).toBe("public.orders");
});

test.each([
  ["orders.CSV", "csv"],
  ["orders.tar.parquet", "parquet"],
  ["orders.xlsx", "excel"],
  ["orders.ndjson", "json_lines"],
  ["orders", undefined],
])("%s is written as %s", (name, format) => {
  expect(formatOf(name)).toBe(format);
});
