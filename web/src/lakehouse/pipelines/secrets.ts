/** What is kept as a secret, of places that data comes from or goes to. */
const BY_WAY = { none: null, bearer: "Token", basic: "Password", header: "Value of the header" };

/** What a secret would be there; none where there is nothing to keep. */
export function secretOf(place: { type: string; authentication?: keyof typeof BY_WAY }): string | null {
  return place.type === "postgresql" ? "Password" : BY_WAY[place.authentication ?? "none"];
}
