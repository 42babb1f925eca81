import { expect, test } from "vitest";
import { BY_NAME, pressed, sortedAs } from "./sorting";

const TABLES = [...BY_NAME, "changed", "-changed"] as const;

test("without an order a list is sorted by name", () => {
  expect(sortedAs("name")).toBe("ascending");
  expect(sortedAs("-changed")).toBe("none");
});

test("a header tells which way its column is sorted, whichever way it begins", () => {
  expect(sortedAs("name", "-name")).toBe("descending");
  expect(sortedAs("-changed", "-changed")).toBe("descending");
  expect(sortedAs("-changed", "changed")).toBe("ascending");
  expect(sortedAs("name", "changed")).toBe("none");
});

test("pressing a header again turns it round, and the usual order stands in no address", () => {
  expect(pressed("name", { value: undefined, known: TABLES })).toBe("-name");
  expect(pressed("name", { value: "-name", known: TABLES })).toBeUndefined();
  expect(pressed("-changed", { value: undefined, known: TABLES })).toBe("-changed");
  expect(pressed("-changed", { value: "-changed", known: TABLES })).toBe("changed");
  expect(pressed("-changed", { value: "changed", known: TABLES })).toBe("-changed");
  expect(pressed("name", { value: "-changed", known: TABLES })).toBeUndefined();
});
