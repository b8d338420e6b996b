import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CheckRecord, createMemoryStore, isLasting, type RecordStore } from "../../engine/index.ts";

const MAX_FILES = 400;
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Records of checks on untouched trees, in files of the home: the next attempt or run on the same tree, under the same
 * conditions, does not take them again. A record that is not lasting serves this run only. What can't be read or written
 * is taken again, and nothing depends on it.
 */
export function openRecordStore(directory: string, readConditions: () => Promise<unknown>): RecordStore {
  const ofThisRun = createMemoryStore();
  let conditions: Promise<string> | undefined;
  const pathOf = async (key: string) => {
    conditions ??= readConditions().then((found) => JSON.stringify(found));
    return join(
      directory,
      `${createHash("sha256")
        .update(await conditions)
        .update(key)
        .digest("hex")}.json`,
    );
  };
  return {
    async read(key) {
      const known = await ofThisRun.read(key);
      if (known !== null) return known;
      try {
        return await readFile(await pathOf(key), "utf8");
      } catch {
        return null;
      }
    },
    async write(key, text) {
      if (text.length > MAX_BYTES) return;
      await ofThisRun.write(key, text);
      if (!isLasting(JSON.parse(text) as CheckRecord)) return;
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        const temporary = join(directory, `.${randomBytes(8).toString("hex")}`);
        await writeFile(temporary, text, { mode: 0o600 });
        await rename(temporary, await pathOf(key));
        await forgetOldest(directory);
      } catch {
        // A home that is full or read-only: the record is taken again when it is needed.
      }
    },
  };
}

async function forgetOldest(directory: string): Promise<void> {
  const names = await readdir(directory);
  if (names.length <= MAX_FILES) return;
  const dated = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(join(directory, name)).catch(() => null))?.mtimeMs ?? 0 })),
  );
  dated.sort((a, b) => a.time - b.time);
  for (const { name } of dated.slice(0, names.length - MAX_FILES)) await rm(join(directory, name), { force: true });
}
