import { expect, test } from "vitest";
import { BY_NAME, pressed, sortedAs } from "./sorting";

const TABLES = [...BY_NAME, "changed", "-changed"] as const;
const RUNS = ["-created", "created", ...BY_NAME] as const;

test("without an order a list is sorted by the first that it knows", () => {
  expect(sortedAs("name", { value: undefined, known: TABLES })).toBe("ascending");
  expect(sortedAs("-changed", { value: undefined, known: TABLES })).toBe("none");
  expect(sortedAs("-created", { value: undefined, known: RUNS })).toBe("descending");
  expect(sortedAs("name", { value: undefined, known: RUNS })).toBe("none");
});

test("a header tells which way its column is sorted, whichever way it begins", () => {
  expect(sortedAs("name", { value: "-name", known: TABLES })).toBe("descending");
  expect(sortedAs("-changed", { value: "-changed", known: TABLES })).toBe("descending");
  expect(sortedAs("-changed", { value: "changed", known: TABLES })).toBe("ascending");
  expect(sortedAs("name", { value: "changed", known: TABLES })).toBe("none");
});

test("pressing a header again turns it round, and the usual order stands in no address", () => {
  expect(pressed("name", { value: undefined, known: TABLES })).toBe("-name");
  expect(pressed("name", { value: "-name", known: TABLES })).toBeUndefined();
  expect(pressed("-changed", { value: undefined, known: TABLES })).toBe("-changed");
  expect(pressed("-changed", { value: "-changed", known: TABLES })).toBe("changed");
  expect(pressed("-changed", { value: "changed", known: TABLES })).toBe("-changed");
  expect(pressed("name", { value: "-changed", known: TABLES })).toBeUndefined();
  expect(pressed("-created", { value: undefined, known: RUNS })).toBe("created");
  expect(pressed("-created", { value: "created", known: RUNS })).toBeUndefined();
  expect(pressed("name", { value: undefined, known: RUNS })).toBe("name");
});
