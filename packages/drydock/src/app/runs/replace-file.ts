import { randomUUID } from "node:crypto";
import { mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DrydockError, describeFileError, explainFullDisk } from "@drydock/protocol";

/** Puts the text in place whole, so that a crash leaves the old file or the new one. A link stays a link. */
export async function replaceFile(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const target = await realpath(path).catch(() => path);
    const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
    try {
      await using file = await open(temporary, "wx", 0o600);
      await file.writeFile(text);
      await file.sync();
      await rename(temporary, target);
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (error) {
    const full = explainFullDisk(error, path);
    if (full) throw full;
    const hint = "Make the directory writable, or edit the file as its owner.";
    const message = `${path}: it can't be written: ${describeFileError(error)}.`;
    throw new DrydockError("input.invalid", message, hint, { file: path }, error);
  }
}
