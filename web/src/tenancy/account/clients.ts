/** What browsers and programs call themselves, in words that somebody recognises. */

// The more particular first: all of them say that they are Mozilla, and most that they are Safari.
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];

/** “Firefox on Windows”; a program's own name as it is. */
export function calledShortly(client: string): string {
  if (client === "") return "an unknown device";
  const browser = BROWSERS.find(([sign]) => sign.test(client))?.[1];
  if (!browser) return client;
  const system = SYSTEMS.find(([sign]) => sign.test(client))?.[1];
  return system ? `${browser} on ${system}` : browser;
}
