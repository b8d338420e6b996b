const SIGNATURE_BYTES = 8;
/** More would take the terminal and this process longer than anybody waits for a picture. */
const MAX_PIXELS = 4_000_000;
const COLORS = 256;

/**
 * The control sequence that draws a PNG on a terminal that knows sixel; null for one that is not drawn. The picture is the
 * work of code that nobody trusts: its size is known and bounded before anything is unpacked, and one in passes, whose data
 * could unpack to anything, is left alone.
 */
export async function writeSixel(png: Uint8Array): Promise<string | null> {
  const size = readSize(png);
  if (!size || size.isInterlaced || size.width * size.height > MAX_PIXELS) return null;
  const [{ PNG }, { image2sixel }] = await Promise.all([import("pngjs"), import("sixel/lib/SixelEncoder.js")]);
  try {
    const { data, width, height } = PNG.sync.read(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
    return `${image2sixel(data, width, height, COLORS, 0)}\n`;
  } catch {
    // It is no picture after all. It is named with its file in any case.
    return null;
  }
}

/** From the first part of a PNG, which has a fixed place. */
function readSize(png: Uint8Array): { width: number; height: number; isInterlaced: boolean } | null {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [lengthAt, typeAt, dataAt] = [SIGNATURE_BYTES, SIGNATURE_BYTES + 4, SIGNATURE_BYTES + 8];
  const headerBytes = 13;
  if (png.byteLength < dataAt + headerBytes || view.getUint32(lengthAt) !== headerBytes) return null;
  if (Buffer.from(png.subarray(typeAt, dataAt)).toString("latin1") !== "IHDR") return null;
  const [width, height] = [view.getUint32(dataAt), view.getUint32(dataAt + 4)];
  return { width, height, isInterlaced: view.getUint8(dataAt + 12) !== 0 };
}
