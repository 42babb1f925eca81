/** Addresses that lead to a page of ours; one elsewhere would make us a signpost for strangers. */

/** The address if it is one of ours, and nothing if it is not: what begins with two slashes names another host. */
export function ours(address: unknown): string | undefined {
  return typeof address === "string" && /^\/(?![/\\])/.test(address) ? address : undefined;
}
