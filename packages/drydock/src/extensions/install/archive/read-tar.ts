import { type ArchiveFile, badArchive, createCollector, refuseEntry } from "./archive-file.ts";

const BLOCK = 512;
const MAX_NAME_BYTES = 8192;
const REFUSED: Record<string, string> = {
  "1": "a hard link",
  "2": "a symbolic link",
  "3": "a device",
  "4": "a device",
  "6": "a named pipe",
  S: "a sparse file",
};

/**
 * The files of a tar archive (ustar, pax, and GNU's long names). Strict: whatever two readers could understand in two
 * ways is refused.
 */
export function readTar(bytes: Buffer): ArchiveFile[] {
  const collector = createCollector();
  let offset = 0;
  let longName: string | null = null;
  while (offset + BLOCK <= bytes.length) {
    const header = bytes.subarray(offset, offset + BLOCK);
    if (header.every((byte) => byte === 0)) {
      const rest = bytes.subarray(offset);
      if (!rest.equals(Buffer.alloc(rest.length))) throw badArchive("something follows its end");
      return collector.finish();
    }
    checkSum(header);
    const size = readNumber(header, 124, 12);
    const type = String.fromCharCode(header[156] ?? 0).replace("\0", "0");
    offset += BLOCK;
    if (offset + size > bytes.length) throw badArchive("it ends in the middle of a file");
    const content = bytes.subarray(offset, offset + size);
    offset += Math.ceil(size / BLOCK) * BLOCK;
    if (type === "x" || type === "g" || type === "L") {
      if (size > MAX_NAME_BYTES && type !== "g") throw badArchive("it holds a name that is too long");
      const name: string | null = type === "L" ? readText(content) : readPax(content);
      if (type === "g" && name !== null) throw badArchive("it names all files alike");
      if (type !== "g" && longName !== null) throw badArchive("it names a file twice");
      if (type !== "g") longName = name;
      continue;
    }
    const name = longName ?? readName(header);
    longName = null;
    if (type === "5") {
      collector.addFolder(name);
    } else if (type === "0") {
      collector.expectBytes(size);
      collector.addFile(name, (readNumber(header, 100, 8) & 0o100) !== 0, content);
    } else throw refuseEntry(name, REFUSED[type] ?? "no plain file");
  }
  throw badArchive("its end is missing");
}

function checkSum(header: Buffer): void {
  let sum = 0;
  for (let index = 0; index < BLOCK; index++) sum += index >= 148 && index < 156 ? 32 : (header[index] ?? 0);
  if (sum !== readNumber(header, 148, 8)) throw badArchive("it is not a tar archive, or damaged");
}

function readNumber(header: Buffer, start: number, length: number): number {
  const text = header
    .subarray(start, start + length)
    .toString("latin1")
    .replace(/[\0 ]+$/, "")
    .trimStart();
  if (text === "") return 0;
  if (!/^[0-7]+$/.test(text)) throw badArchive("it holds a number that can't be read");
  return Number.parseInt(text, 8);
}

function readName(header: Buffer): string {
  const isUstar = header.subarray(257, 262).toString("latin1") === "ustar";
  const prefix = isUstar && header[262] === 0 ? readText(header.subarray(345, 500)) : "";
  const name = readText(header.subarray(0, 100));
  return prefix === "" ? name : `${prefix}/${name}`;
}

function readText(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(end < 0 ? bytes : bytes.subarray(0, end));
  } catch {
    throw badArchive("it holds a name that is not UTF-8");
  }
}

/** The path that a pax header gives to the next file. What it says of sizes and links would contradict the file itself. */
function readPax(content: Buffer): string | null {
  let path: string | null = null;
  let offset = 0;
  while (offset < content.length) {
    const space = content.indexOf(32, offset);
    const length = Number(content.subarray(offset, Math.max(space, offset)).toString("latin1"));
    const end = offset + length;
    if (space < 0 || !Number.isSafeInteger(length) || end > content.length || end <= space)
      throw badArchive("it holds a header that can't be read");
    const record = content.subarray(space + 1, end - 1);
    const equals = record.indexOf(61);
    const key = record.subarray(0, Math.max(equals, 0)).toString("latin1");
    const value = record.subarray(equals + 1);
    if (key === "path") {
      if (value.includes(0)) throw badArchive("it holds a name with a NUL byte");
      path = readText(value);
    } else if (key === "size" || key === "linkpath" || key.startsWith("GNU.sparse"))
      throw badArchive(`it holds a header (${key}) that is not accepted`);
    offset = end;
  }
  return path;
}
