/** Which of some paths a volume holds a file at already: asked before anything is sent. */
import { api, Problem, take } from "../../api/client";

const MOST_PAGES = 20;

export async function alreadyThere(volumeId: string, wanted: readonly { path: string }[]): Promise<Set<string>> {
  const there = new Set<string>();
  const folders = new Set(wanted.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf("/")))));
  for (const folder of folders) {
    for (const path of await filesIn(volumeId, folder).catch(noSuchFolder)) there.add(path);
  }
  return new Set(wanted.map(({ path }) => path).filter((path) => there.has(path)));
}

function noSuchFolder(error: unknown): string[] {
  if (error instanceof Problem && error.status === 404) return [];
  throw error;
}

/** As far as its first thousands; what comes after them the server still refuses to replace unasked. */
async function filesIn(volumeId: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await take(
      api.GET("/api/v1/volumes/{volume_id}/files", {
        params: { path: { volume_id: volumeId }, query: { folder, cursor, limit: 200 } },
      }),
    );
    found.push(...page.items.filter((entry) => entry.kind === "file").map((entry) => entry.path));
    if (!page.next_cursor) break;
    cursor = page.next_cursor;
  }
  return found;
}
