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
 * Hashes that survive the process: one header line with a checksum of the rest, one line of JSON with each directory and
 * the names of its files, and one record per file in the same order: size, both times and inode as doubles, and the hash.
 */
const HEADER = "drydock-index-2 ";
const DOUBLE_BYTES = 8;
const HASH_BYTES = 32;
const RECORD_BYTES = 4 * DOUBLE_BYTES + HASH_BYTES;
const LINE_END = 0x0a;

/** A cache that can't be read or is not exactly what was written is no cache: everything is hashed again. */
export async function loadStatCache(cacheFile: string): Promise<StatCache> {
  const cache: StatCache = new Map();
  const bytes = await readFile(cacheFile).catch(() => undefined);
  const headerEnd = HEADER.length + 64;
  if (!bytes || bytes.toString("latin1", 0, HEADER.length) !== HEADER || bytes[headerEnd] !== LINE_END) return cache;
  const body = bytes.subarray(headerEnd + 1);
  if (hash("sha256", body) !== bytes.toString("latin1", HEADER.length, headerEnd)) return cache;
  const namesEnd = body.indexOf(LINE_END);
  let at = namesEnd + 1;
  for (const [path, names] of JSON.parse(body.toString("utf8", 0, namesEnd)) as [string, string[]][]) {
    const files = new Map<string, KnownFile>();
    for (const name of names) {
      files.set(name, readRecord(body, at));
      at += RECORD_BYTES;
    }
    cache.set(path, files);
  }
  return cache;
}

function readRecord(bytes: Buffer, at: number): KnownFile {
  return {
    size: bytes.readDoubleLE(at),
    mtimeMs: bytes.readDoubleLE(at + DOUBLE_BYTES),
    ctimeMs: bytes.readDoubleLE(at + 2 * DOUBLE_BYTES),
    ino: bytes.readDoubleLE(at + 3 * DOUBLE_BYTES),
    sha256: bytes.toString("hex", at + 4 * DOUBLE_BYTES, at + RECORD_BYTES),
  };
}

function writeRecord(bytes: Buffer, at: number, file: KnownFile): void {
  bytes.writeDoubleLE(file.size, at);
  bytes.writeDoubleLE(file.mtimeMs, at + DOUBLE_BYTES);
  bytes.writeDoubleLE(file.ctimeMs, at + 2 * DOUBLE_BYTES);
  bytes.writeDoubleLE(file.ino, at + 3 * DOUBLE_BYTES);
  bytes.write(file.sha256, at + 4 * DOUBLE_BYTES, HASH_BYTES, "hex");
}

/** Replaces the cache file in one step; two processes may do so at once, and the last one wins. */
export async function saveStatCache(
  cacheFile: string,
  directories: Iterable<[string, Iterable<[string, KnownFile]>]>,
): Promise<void> {
  const rows: [string, string[]][] = [];
  const known: KnownFile[] = [];
  for (const [path, files] of directories) {
    const names: string[] = [];
    for (const [name, file] of files) {
      names.push(name);
      known.push(file);
    }
    if (names.length > 0) rows.push([path, names]);
  }
  const names = Buffer.from(`${JSON.stringify(rows)}\n`);
  const body = Buffer.alloc(names.length + known.length * RECORD_BYTES);
  names.copy(body);
  for (const [index, file] of known.entries()) writeRecord(body, names.length + index * RECORD_BYTES, file);
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
