import { hash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * What tells, without reading it, that a file is still the one that was hashed. Times are Node's millisecond doubles:
 * they resolve a quarter of a microsecond, far below the kernel's clock tick, and cost half of the bigint variant.
 */
export interface FileStat {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
}

export interface KnownFile extends FileStat {
  sha256: string;
}

export type StatCache = Map<string, Map<string, KnownFile>>;

/**
 * Hashes that survive the process: one header line with a checksum of the rest, then JSON, one array per directory
 * with six values per file.
 */
const HEADER = "drydock-index-1 ";
const FIELDS = 6;

/** A cache that can't be read or is not exactly what was written is no cache: everything is hashed again. */
export async function loadStatCache(cacheFile: string): Promise<StatCache> {
  const cache: StatCache = new Map();
  const bytes = await readFile(cacheFile).catch(() => undefined);
  const headerEnd = HEADER.length + 64;
  if (!bytes || bytes.toString("latin1", 0, HEADER.length) !== HEADER || bytes[headerEnd] !== 0x0a) return cache;
  const body = bytes.subarray(headerEnd + 1);
  if (hash("sha256", body) !== bytes.toString("latin1", HEADER.length, headerEnd)) return cache;
  const directories = JSON.parse(body.toString("utf8")) as [string, (string | number)[]][];
  for (const [path, fields] of directories) {
    const files = new Map<string, KnownFile>();
    for (let at = 0; at < fields.length; at += FIELDS) {
      const [name, size, mtimeMs, ctimeMs, ino, sha256] = fields.slice(at, at + FIELDS) as [
        string,
        number,
        number,
        number,
        number,
        string,
      ];
      files.set(name, { size, mtimeMs, ctimeMs, ino, sha256 });
    }
    cache.set(path, files);
  }
  return cache;
}

/** Replaces the cache file in one step; two processes may do so at once, and the last one wins. */
export async function saveStatCache(
  cacheFile: string,
  directories: Iterable<[string, Iterable<[string, KnownFile]>]>,
): Promise<void> {
  const rows: [string, (string | number)[]][] = [];
  for (const [path, files] of directories) {
    const fields: (string | number)[] = [];
    for (const [name, file] of files) {
      fields.push(name, file.size, file.mtimeMs, file.ctimeMs, file.ino, file.sha256);
    }
    if (fields.length > 0) rows.push([path, fields]);
  }
  const body = Buffer.from(JSON.stringify(rows));
  const temporary = `${cacheFile}.${process.pid}.${randomUUID()}`;
  await mkdir(dirname(cacheFile), { recursive: true });
  try {
    await writeFile(temporary, [`${HEADER}${hash("sha256", body)}\n`, body], { mode: 0o600 });
    await rename(temporary, cacheFile);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

// The kernel stamps files with a clock that advances in ticks of up to 10 ms.
const RACY_MS = 20;

/**
 * Whether a later write could leave the same stamps as those seen at `seenAtMs`: then the stamps prove nothing, and the
 * file must be hashed again next time. A stamp in the future (a clock that jumped) is as untrustworthy.
 */
export function isRacy(stat: FileStat, seenAtMs: number): boolean {
  return Math.max(stat.mtimeMs, stat.ctimeMs) >= seenAtMs - RACY_MS;
}

export function isSameStat(left: FileStat, right: FileStat): boolean {
  return (
    left.size === right.size &&
    left.mtimeMs === right.mtimeMs &&
    left.ctimeMs === right.ctimeMs &&
    left.ino === right.ino
  );
}
