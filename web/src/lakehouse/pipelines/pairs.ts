/** Names with values as people type them: one to a line, the name before the first colon. */
export function pairsOf(typed: string): Record<string, string> {
  const lines = typed.split("\n").map((line) => line.trim());
  return Object.fromEntries(
    lines
      .filter((line) => line !== "")
      .map((line) => {
        const [name = "", ...value] = line.split(":");
        return [name.trim(), value.join(":").trim()];
      }),
  );
}

export function inLines(pairs: Readonly<Record<string, unknown>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
