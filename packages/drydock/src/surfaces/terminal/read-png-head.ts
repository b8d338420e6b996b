const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER_BYTES = 13;

export interface PngHead {
  width: number;
  height: number;
  isInterlaced: boolean;
}

/** What the first part of a PNG says, which has a fixed place; null for what is no PNG. Nothing is unpacked. */
export function readPngHead(png: Uint8Array): PngHead | null {
  const [lengthAt, typeAt, dataAt] = [SIGNATURE.length, SIGNATURE.length + 4, SIGNATURE.length + 8];
  if (png.byteLength < dataAt + HEADER_BYTES || !SIGNATURE.equals(png.subarray(0, SIGNATURE.length))) return null;
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const type = Buffer.from(png.subarray(typeAt, dataAt)).toString("latin1");
  if (view.getUint32(lengthAt) !== HEADER_BYTES || type !== "IHDR") return null;
  const [width, height] = [view.getUint32(dataAt), view.getUint32(dataAt + 4)];
  return { width, height, isInterlaced: view.getUint8(dataAt + 12) !== 0 };
}
