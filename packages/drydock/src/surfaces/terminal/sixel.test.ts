import { PNG } from "pngjs";
import { decode } from "sixel";
import { describe, expect, it } from "vitest";
import { runInTerminal } from "../cli/testing/run-in-terminal.ts";
import { useHome } from "../cli/testing/use-home.ts";
import { writeSixel } from "./write-sixel.ts";

const RED = [200, 30, 40, 255];
const home = useHome();

function drawSquare(side: number): Buffer {
  const png = new PNG({ width: side, height: side });
  for (let at = 0; at < png.data.length; at += 4) png.data.set(RED, at);
  return PNG.sync.write(png);
}

/** The picture within what was written to a terminal, as a terminal draws it. */
function drawn(screen: string): { width: number; height: number; first: number[] } | null {
  const data = new RegExp(`${String.fromCharCode(27)}P[\\d;]*q([^${String.fromCharCode(27)}]*)`).exec(screen)?.[1];
  if (data === undefined) return null;
  const { width, height, data32 } = decode(Buffer.from(data));
  const pixel = data32[0] ?? 0;
  return { width, height, first: [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255] };
}

describe("a picture as sixels", () => {
  it("has the size and the colours of the PNG", async () => {
    const picture = drawn((await writeSixel(drawSquare(20))) ?? "");
    expect(picture).toMatchObject({ width: 20, height: 20 });
    // Sixel has colours in hundredths.
    for (const [index, value] of (picture?.first ?? []).entries())
      expect(Math.abs(value - (RED[index] ?? 0))).toBeLessThan(4);
  });

  it.each([
    ["a picture of more pixels than are drawn", (png: Buffer) => png.writeUInt32BE(60_000, 16)],
    ["one in passes, which may unpack to anything", (png: Buffer) => png.writeUInt8(1, 28)],
    ["one whose data is cut off", (png: Buffer) => png.fill(0, 40)],
    ["one whose first part is another", (png: Buffer) => png.write("IDAT", 12)],
  ])("%s is not drawn", async (_name, spoil) => {
    const png = drawSquare(20);
    spoil(png);
    expect(await writeSixel(png)).toBeNull();
    expect(await writeSixel(png.subarray(0, 20))).toBeNull();
  });
});

describe("a terminal", () => {
  const code = [
    "import struct, zlib",
    "part = lambda kind, data: struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))",
    "head = part(b'IHDR', struct.pack('>IIBBBBB', 8, 8, 8, 2, 0, 0, 0))",
    "rows = zlib.compress((b'\\0' + bytes([90, 90, 90] * 8)) * 8)",
    "open('a.png', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + head + part(b'IDAT', rows) + part(b'IEND', b''))",
  ].join("\n");
  const ask = (answer: string) =>
    runInTerminal(home(), ["ask", code], { rows: 24, columns: 80, keys: [{ after: "\x1b[c", type: answer }] });

  it("that says that it knows sixel is sent the picture, and one that does not only its name", async () => {
    const able = await ask("\x1b[?62;4;22c");
    expect(able.status, able.screen).toBe(0);
    expect(drawn(able.screen)).toMatchObject({ width: 8, height: 8 });
    expect(able.screen).toContain("a.png");
    const other = await ask("\x1b[?1;2c");
    expect([other.status, drawn(other.screen)]).toEqual([0, null]);
    expect(other.screen).toContain("a.png");
  });
});
