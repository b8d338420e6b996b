import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";
import { type ArchiveFile, badArchive, createCollector, quoteName, refuseEntry } from "./archive-file.ts";

const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const UNIX = 3;
const HAS_DESCRIPTOR = 8;
/** An entry that was written as a stream has its sizes behind its data: with or without a signature, of 32 or 64 bits. */
const DESCRIPTOR_BYTES = [12, 16, 20, 24];
const TYPE_BITS = 0o170000;

interface Entry {
  name: string;
  flags: number;
  method: number;
  crc: number;
  packed: number;
  size: number;
  mode: number;
  offset: number;
}

/** The files of a zip archive. Strict: both of its tables of contents have to agree, and nothing may overlap. */
export async function readZip(bytes: Buffer): Promise<ArchiveFile[]> {
  const collector = createCollector();
  const { entries, start } = readCentral(bytes);
  let free = 0;
  let mayFollow: readonly number[] = [];
  // A program that reads the archive from its beginning would find files that the table of contents leaves out.
  const checkGap = (end: number) => {
    if (end > free && !mayFollow.includes(end - free)) throw badArchive("it holds bytes that are not part of it");
  };
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    const data = findData(bytes, entry);
    // Entries that share their data are how a small archive becomes a large one.
    if (entry.offset < free || data + entry.packed > start) throw badArchive(`${quoteName(entry.name)} overlaps`);
    checkGap(entry.offset);
    free = data + entry.packed;
    mayFollow = entry.flags & HAS_DESCRIPTOR ? DESCRIPTOR_BYTES : [];
    const type = entry.mode & TYPE_BITS;
    if (entry.name.endsWith("/")) {
      collector.addFolder(entry.name);
      continue;
    }
    if (type !== 0 && type !== 0o100000)
      throw refuseEntry(entry.name, type === 0o120000 ? "a symbolic link" : "no plain file");
    collector.expectBytes(entry.size);
    const content = await unpackEntry(entry, bytes.subarray(data, data + entry.packed));
    collector.addFile(entry.name, (entry.mode & 0o100) !== 0, content);
  }
  checkGap(start);
  return collector.finish();
}

async function unpackEntry({ name, method, size, crc }: Entry, packed: Buffer): Promise<Buffer> {
  let content: Buffer;
  try {
    if (method !== 0 && method !== 8) throw badArchive(`${quoteName(name)} is packed in a way that is not accepted`);
    content = method === 0 ? packed : size === 0 ? Buffer.alloc(0) : await inflate(packed, { maxOutputLength: size });
  } catch (error) {
    if (error instanceof Error && "hint" in error) throw error;
    throw badArchive(`${quoteName(name)} is damaged, or larger than it says`);
  }
  if (content.length !== size || crc32(content) !== crc) throw badArchive(`${quoteName(name)} is damaged`);
  return content;
}

function readCentral(bytes: Buffer): { entries: Entry[]; start: number } {
  let end = -1;
  for (let at = bytes.length - END_BYTES; at >= Math.max(0, bytes.length - END_BYTES - 0xffff); at--) {
    if (bytes.readUInt32LE(at) !== END) continue;
    if (at + END_BYTES + bytes.readUInt16LE(at + 20) === bytes.length) {
      end = at;
      break;
    }
  }
  if (end < 0) throw badArchive("it is not a zip archive, or damaged");
  const count = bytes.readUInt16LE(end + 10);
  const start = bytes.readUInt32LE(end + 16);
  const isPlain = bytes.readUInt32LE(end + 4) === 0 && bytes.readUInt16LE(end + 8) === count && count !== 0xffff;
  if (!isPlain || start + bytes.readUInt32LE(end + 12) !== end)
    throw badArchive("it is a zip archive in several parts, or damaged");
  const entries: Entry[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== CENTRAL) throw badArchive("its table of contents is damaged");
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const isUnix = bytes.readUInt8(at + 5) === UNIX;
    if (nameEnd > end) throw badArchive("its table of contents is damaged");
    entries.push({
      name: readName(bytes.subarray(at + 46, nameEnd)),
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      mode: isUnix ? bytes.readUInt32LE(at + 38) >>> 16 : 0,
      offset: bytes.readUInt32LE(at + 42),
    });
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return { entries, start };
}

function findData(bytes: Buffer, { name, offset, flags }: Entry): number {
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== LOCAL)
    throw badArchive(`${quoteName(name)} is missing`);
  if (flags & 1) throw badArchive(`${quoteName(name)} is encrypted`);
  const nameLength = bytes.readUInt16LE(offset + 26);
  if (readName(bytes.subarray(offset + 30, offset + 30 + nameLength)) !== name)
    throw badArchive(`${quoteName(name)} has two names`);
  return offset + 30 + nameLength + bytes.readUInt16LE(offset + 28);
}

function readName(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw badArchive("it holds a name that is not UTF-8");
  }
}
