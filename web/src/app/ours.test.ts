import { expect, test } from "vitest";
import { ours } from "./ours";

test("only a page of ours is led to", () => {
  for (const address of ["/", "/tables?search=//x", "/sources/1#top"]) expect(ours(address)).toBe(address);
  for (const address of [
    "//evil.example/login",
    "/\\evil.example",
    "https://evil.example",
    "tables",
    "",
    7,
    undefined,
  ]) {
    expect(ours(address)).toBeUndefined();
  }
});
