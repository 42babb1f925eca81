/** What was dropped: files, and folders with what lies in them, each with its path from there. */
export interface Dropped {
  path: string;
  file: File;
}

export async function filesOf(given: DataTransfer): Promise<Dropped[]> {
  // All at once: after the first wait, the browser takes the rest away.
  const taken = [...given.items]
    .filter((item) => item.kind === "file")
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = await Promise.all(
    taken.map(({ entry, file }) => (entry?.isDirectory ? filesIn(entry as FileSystemDirectoryEntry) : alone(file))),
  );
  return found.flat();
}

function alone(file: File | null): Dropped[] {
  return file ? [{ path: file.name, file }] : [];
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<Dropped[]> {
  const found: Dropped[] = [];
  for (const entry of await entriesOf(folder)) {
    if (entry.isDirectory) found.push(...(await filesIn(entry as FileSystemDirectoryEntry)));
    else found.push({ path: entry.fullPath.replace(/^\//, ""), file: await fileOf(entry as FileSystemFileEntry) });
  }
  return found;
}

/** A reader hands them out by the hundred, until there are none. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return found;
    found.push(...some);
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
