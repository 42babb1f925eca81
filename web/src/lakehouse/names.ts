/** Names in statements, as the server takes them. */
const NAME = "[a-z][a-z0-9_]{0,62}";

const WHOLE = new RegExp(`^${NAME}$`);

export function isName(text: string): boolean {
  return WHOLE.test(text);
}

/** A name that fits, made of what was meant: “Orders 2024.csv” becomes orders_2024_csv. */
export function fittingName(meant: string): string {
  const plain = meant
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
  const named = /^[a-z]/.test(plain) ? plain : `t_${plain}`;
  return named.slice(0, 50).replace(/_+$/, "") || "stream";
}
