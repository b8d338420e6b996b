const BLOCK = 512;
const MAX_NAME_BYTES = 100;

export interface TarFile {
  path: string;
  content: Buffer;
}

/** A tar archive (ustar, with pax headers for long names). The same files always give the same bytes: it has no times and no owners. */
export function writeTar(files: readonly TarFile[]): Buffer {
  const parts = files.flatMap(({ path, content }) => [
    ...(Buffer.byteLength(path) > MAX_NAME_BYTES ? writeEntry("x", "name", Buffer.from(paxRecord("path", path))) : []),
    ...writeEntry("0", path, content),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function writeEntry(type: "0" | "x", name: string, content: Buffer): Buffer[] {
  const header = Buffer.alloc(BLOCK);
  // A name that is too long stands in the pax header before; here it is cut.
  Buffer.from(name).copy(header, 0, 0, MAX_NAME_BYTES);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${octal(content.length, 11)}\0`, 124);
  header.write(`${octal(0, 11)}\0`, 136);
  header.fill(" ", 148, 156);
  header.write(type, 156);
  header.write("ustar\0" + "00", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

/** `LENGTH KEY=VALUE\n`, where the length counts its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (length !== Buffer.byteLength(`${length}${rest}`)) length = Buffer.byteLength(`${length}${rest}`);
  return `${length}${rest}`;
}
