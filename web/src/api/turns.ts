/** Asking while somebody types: few questions at a time, and none that nobody waits for any more. */

const AT_ONCE = 2;
const waiting = new Map<string, Set<Promise<unknown>>>();

/** Asks once few of what was asked before in this queue wait for their answer; what was given up until then is not asked
 * at all. So a server that takes longer than a key has a question or two of a search to answer, not one of every key. */
export async function inTurn<T>(queue: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  const before = waiting.get(queue) ?? new Set();
  waiting.set(queue, before);
  while (before.size >= AT_ONCE) {
    await Promise.race(before);
    signal.throwIfAborted();
  }
  const answer = ask();
  const over: Promise<unknown> = answer.catch(() => {}).then(() => before.delete(over));
  before.add(over);
  return answer;
}
