import { chmod, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DrydockError } from "@drydock/protocol";
import type { ExtensionFile } from "../format/list-files.ts";
import { syncDirectory } from "./registry-file.ts";

/** Puts a new file into a directory; one that is there already is never overwritten. */
export async function writeFileInto(directory: string, path: string, content: Uint8Array, executable: boolean) {
  const target = join(directory, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  await using file = await open(target, "wx", executable ? 0o755 : 0o644);
  await file.writeFile(content);
}

/** From here on the files are read-only, and they are on disk before anything names them. */
export async function sealFiles(directory: string, files: readonly ExtensionFile[]): Promise<void> {
  const folders = new Set([directory]);
  for (const { path, executable } of files) {
    const target = join(directory, path);
    await chmod(target, executable ? 0o555 : 0o444);
    await using file = await open(target, "r");
    await file.sync();
    for (let folder = dirname(target); folder !== directory; folder = dirname(folder)) folders.add(folder);
  }
  for (const folder of folders) await syncDirectory(folder);
}

/** A full disk gets its own error with a hint. */
export function explainWriteFailure(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code !== "ENOSPC" && code !== "EDQUOT") return error;
  return new DrydockError(
    "limit.disk",
    "There is no space left for the extension. Nothing was changed.",
    "Make room on the disk that holds Drydock's home, and try again.",
    {},
    error,
  );
}
