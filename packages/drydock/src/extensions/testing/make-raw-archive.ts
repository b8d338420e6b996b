import { crc32, deflateRawSync } from "node:zlib";

const BLOCK = 512;
export const TAR_END = Buffer.alloc(2 * BLOCK);

interface RawTarEntry {
  name?: string;
  /** The type flag: "0" is a plain file. */
  type?: string;
  content?: string;
  /** In place of the content's own size. */
  sizeField?: Buffer;
  checkSum?: number;
}

/** One entry of a tar archive, byte by byte: no program writes the ones that attacks are made of. */
export function rawTarEntry({ name = "a", type = "0", content = "", sizeField, checkSum }: RawTarEntry): Buffer {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write("0000644\0", 100);
  header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
  sizeField?.copy(header, 124);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\u000000", 257);
  const sum = checkSum ?? header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return Buffer.concat([header, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);
}

/** A record of a pax header, which counts its own length. */
export function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

interface RawZipEntry {
  name: string;
  /** Where its own header calls it otherwise than the table of contents does. */
  localName?: string;
  content: string;
  /** What the table of contents says. */
  size?: number;
  /** The table of contents points to data at this place; none is written for it. */
  offset?: number;
  /** Written before its header. */
  before?: Buffer;
}

export function rawZip(entries: readonly RawZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const table: Buffer[] = [];
  let at = 0;
  for (const { name, localName = name, content, size, offset, before = Buffer.alloc(0) } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    writeCommon(local, 4, { crc: crc32(bytes), packed: packed.length, size: bytes.length, name: localName });
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt8(3, 5);
    writeCommon(central, 6, { crc: crc32(bytes), packed: packed.length, size: size ?? bytes.length, name });
    central.writeUInt32LE(0o100644 * 0x10000, 38);
    central.writeUInt32LE(offset ?? at + before.length, 42);
    table.push(central, Buffer.from(name));
    if (offset !== undefined) continue;
    const written = Buffer.concat([before, local, Buffer.from(localName), packed]);
    parts.push(written);
    at += written.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(table).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...table, end]);
}

/** The fields that both headers of an entry have, in the same order. */
function writeCommon(
  header: Buffer,
  start: number,
  { crc, packed, size, name }: { crc: number; packed: number; size: number; name: string },
): void {
  header.writeUInt16LE(20, start);
  header.writeUInt16LE(8, start + 4);
  header.writeUInt32LE(crc, start + 10);
  header.writeUInt32LE(packed, start + 14);
  header.writeUInt32LE(size, start + 18);
  header.writeUInt16LE(Buffer.byteLength(name), start + 22);
}
