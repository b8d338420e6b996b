import { readPngHead } from "./read-png-head.ts";

/** More would take the terminal and this process longer than anybody waits for a picture. */
const MAX_PIXELS = 4_000_000;
const COLORS = 256;

/**
 * The control sequence that draws a PNG on a terminal that knows sixel; null for one that is not drawn. The picture is the
 * work of code that nobody trusts: its size is known and bounded before anything is unpacked, and one in passes, whose data
 * could unpack to anything, is left alone.
 */
export async function writeSixel(png: Uint8Array): Promise<string | null> {
  const head = readPngHead(png);
  if (!head || head.isInterlaced || head.width * head.height > MAX_PIXELS) return null;
  const [{ PNG }, { image2sixel }] = await Promise.all([import("pngjs"), import("sixel/lib/SixelEncoder.js")]);
  try {
    const { data, width, height } = PNG.sync.read(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
    return `${image2sixel(data, width, height, COLORS, 0)}\n`;
  } catch {
    // It is no picture after all. It is named with its file in any case.
    return null;
  }
}
