import { readdirSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { hashAtOnce, SMALL_BYTES } from "./hash-file.ts";
import type { ReadDirectory } from "./read-ahead.ts";

const buffer = Buffer.allocUnsafeSlow(SMALL_BYTES);

/** The small files of a directory. Everything else, and files that can't be read, are left to the caller. */
function readDirectory(directory: string): ReadDirectory {
  const names: string[] = [];
  const figures: number[] = [];
  let hashes = "";
  for (const entry of listFiles(directory)) {
    const seenAtMs = Date.now();
    const hashed = hashAtOnce(`${directory}/${entry.name}`, buffer);
    if (!hashed) continue;
    const { mode, size, mtimeMs, ctimeMs, ino } = hashed.stat;
    names.push(entry.name);
    figures.push(mode & 0o7777, size, mtimeMs, ctimeMs, ino, seenAtMs);
    hashes += hashed.sha256;
  }
  return { names, figures: Float64Array.from(figures), hashes };
}

function listFiles(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
  } catch {
    return []; // the caller reports why
  }
}

parentPort?.on("message", (directories: string[]) => parentPort?.postMessage(directories.map(readDirectory)));
