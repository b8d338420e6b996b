import { randomUUID } from "node:crypto";
import { mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Replaces the file as a whole: a reader finds the old file or the new one, also after a crash. No other user can read
 * it. A link stays a link. `check` has the last word before the new file takes the old one's place.
 */
export async function putFile(path: string, text: string, check?: () => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const target = await realpath(path).catch(() => path);
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    {
      await using file = await open(temporary, "wx", 0o600);
      await file.writeFile(text);
      await file.sync();
    }
    await check?.();
    await rename(temporary, target);
  } finally {
    await rm(temporary, { force: true });
  }
}
