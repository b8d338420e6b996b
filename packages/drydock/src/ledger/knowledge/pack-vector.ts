const STEPS = 127;
const SCALE_BYTES = 4;

/**
 * A vector of length one in a byte for each number, behind the scale that they have in common. A quarter of the size, read in
 * half of the time, and the same order of passages but for near ties (ADR 0040).
 */
export function packVector(vector: Float32Array): Uint8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scale = largest / STEPS;
  const packed = Buffer.alloc(SCALE_BYTES + vector.length);
  packed.writeFloatLE(scale);
  for (const [index, value] of vector.entries())
    packed.writeInt8(scale === 0 ? 0 : Math.round(value / scale), SCALE_BYTES + index);
  return packed;
}

/** The cosine of the angle between a vector of length one and a packed one; null where they differ in length. */
export function compareVectors(vector: Float32Array, packed: Uint8Array): number | null {
  if (packed.byteLength !== vector.length + SCALE_BYTES) return null;
  const scale = new DataView(packed.buffer, packed.byteOffset).getFloat32(0, true);
  const numbers = new Int8Array(packed.buffer, packed.byteOffset + SCALE_BYTES, vector.length);
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += (vector[at] ?? 0) * (numbers[at] ?? 0);
  return sum * scale;
}
