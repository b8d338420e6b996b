import { inflateSync } from "node:zlib";

export interface Png {
  width: number;
  height: number;
  pixel(x: number, y: number): [red: number, green: number, blue: number];
}

/** As browsers write them: eight bits, with or without alpha, not interlaced. */
export function readPng(bytes: Buffer): Png {
  const [width, height, depth, colour] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[24], bytes[25]];
  if (depth !== 8 || (colour !== 2 && colour !== 6)) throw new Error(`depth ${depth}, colour type ${colour}`);
  const size = colour === 6 ? 4 : 3;
  const stride = width * size;
  const data = inflateSync(Buffer.concat(chunksOf(bytes, "IDAT")));
  const rows: Buffer[] = [];
  let above: Buffer = Buffer.alloc(stride);
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1);
    above = unfilter(data[start] ?? 0, data.subarray(start + 1, start + 1 + stride), above, size);
    rows.push(above);
  }
  return {
    width,
    height,
    pixel: (x, y) => {
      const [red = 0, green = 0, blue = 0] = rows[y]?.subarray(x * size, x * size + 3) ?? [];
      return [red, green, blue];
    },
  };
}

function chunksOf(bytes: Buffer, wanted: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString("latin1", at + 4, at + 8) === wanted) found.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  return found;
}

function unfilter(filter: number, line: Buffer, above: Buffer, size: number): Buffer {
  const row = Buffer.from(line);
  for (let at = 0; at < row.length; at++) {
    const left = at >= size ? (row[at - size] ?? 0) : 0;
    const up = above[at] ?? 0;
    const corner = at >= size ? (above[at - size] ?? 0) : 0;
    const guess = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][filter] ?? 0;
    row[at] = (row[at] ?? 0) + guess;
  }
  return row;
}

function nearest(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}
