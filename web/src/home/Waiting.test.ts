import { expect, test } from "vitest";
import { several } from "./Waiting";

test.each([
  [1, "request waits", undefined, "1 request waits"],
  [3, "request waits", undefined, "3 requests wait"],
  [1, "invitation is", "invitations are", "1 invitation is"],
  [2, "invitation is", "invitations are", "2 invitations are"],
])("%d %s", (count, one, many, said) => {
  expect(several(count, one, many)).toBe(said);
});
