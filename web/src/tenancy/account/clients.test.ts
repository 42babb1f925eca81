import { expect, test } from "vitest";
import { calledShortly } from "./clients";

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

test.each([
  [CHROME, "Chrome on Linux"],
  [`${CHROME} Edg/141.0`, "Edge on Linux"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0", "Firefox on Windows"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1",
    "Safari on iOS",
  ],
  ["bailiwick/0.4 on laptop", "bailiwick/0.4 on laptop"],
  ["", "an unknown device"],
])("%s is %s", (client, called) => {
  expect(calledShortly(client)).toBe(called);
});
