import { chmod, mkdir, open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { EnvironmentLock } from "./environment-lock.ts";

const MAX_FILES = 100_000;
const size = z.number().int().nonnegative();

/** What the program inside says that it has packed. */
const PackedIndex = z.strictObject({
  python: z.string().max(100),
  platform: z.string().max(100),
  packages: EnvironmentLock.shape.packages.max(2000),
  /** Path, number of the part, offset and size in it, whether it is executable. */
  files: z.array(z.tuple([z.string(), size, size, size, z.boolean()])).max(MAX_FILES),
});
export type PackedIndex = z.infer<typeof PackedIndex>;

const PLAIN_NAME = /^(?!\.{1,2}$)[^/\\\p{Cc}]{1,255}$/u;

/**
 * Writes the files of a packed environment. Data from a sandbox may be forged: a path leads nowhere but below
 * `directory`, each is written once, and only plain files are possible.
 */
export async function unpackEnvironment(
  directory: string,
  content: string,
  readPart: (name: string) => Promise<Uint8Array>,
): Promise<PackedIndex> {
  const index = PackedIndex.parse(JSON.parse(content));
  const byPart = Map.groupBy(index.files, ([, part]) => part);
  await mkdir(directory, { mode: 0o755 });
  for (const [part, files] of byPart) {
    const bytes = await readPart(`part-${String(part).padStart(4, "0")}`);
    for (const [path, , offset, length, isExecutable] of files) {
      checkPath(path);
      if (offset + length > bytes.length) throw new Error(`${path} is longer than what was packed`);
      const target = join(directory, path);
      await mkdir(dirname(target), { recursive: true, mode: 0o755 });
      // `wx`: what is there already is not written over, nor a link followed.
      await writeFile(target, bytes.subarray(offset, offset + length), { flag: "wx", mode: 0o644 });
      if (isExecutable) await chmod(target, 0o755);
    }
  }
  return index;
}

function checkPath(path: string): void {
  const names = path.split("/");
  if (path.length <= 1024 && names.length <= 64 && names.every((name) => PLAIN_NAME.test(name))) return;
  throw new Error(`${JSON.stringify(path.slice(0, 200))} is not a file path`);
}

/** So that an environment whose lock is there has its files, too, also after a power cut. */
export async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  await handle.sync().finally(() => handle.close());
}
