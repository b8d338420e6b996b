import { ApiError, RUNNER_LIMITS as LIMITS } from "@drydock/protocol/runner";

export interface ValuePart {
  key: string;
  /** Base64. */
  value: string;
  offset?: number | null;
  total_bytes?: number | null;
}

/*
 * none ──offset 0──► open ──the next offset──► open ──all bytes──► whole
 *
 * A line of a plugin is shorter than a stored value may be, so that large values come in parts. One value of a run is open at
 * a time: another one that begins takes its place, and a run that ends leaves nothing. Nothing is stored before all is there.
 */
export function createValueParts() {
  let open: { key: string; total: number; parts: Buffer[]; bytes: number } | null = null;

  /** The whole value in base64; null while parts are missing. */
  return function take({ key, value, offset, total_bytes: total }: ValuePart): string | null {
    if (typeof offset !== "number" && typeof total !== "number") {
      checkSize(Buffer.byteLength(value, "base64"));
      return value;
    }
    if (typeof offset !== "number" || typeof total !== "number")
      throw new ApiError("invalid_argument", "A part of a value has both offset and total_bytes.");
    checkSize(total);
    if (offset === 0) open = { key, total, parts: [], bytes: 0 };
    const expected = open?.key === key && open.total === total ? open.bytes : 0;
    if (!open || offset !== expected || open.key !== key || open.total !== total) {
      const message = `The next part of ${key} begins at ${expected}, not at ${offset}.`;
      throw new ApiError("invalid_argument", message, { details: { offset: expected } });
    }
    const content = Buffer.from(value, "base64");
    if (content.length === 0 || open.bytes + content.length > total) {
      open = null;
      throw new ApiError("invalid_argument", "The parts of a value have together as many bytes as total_bytes says.");
    }
    open.parts.push(content);
    open.bytes += content.length;
    if (open.bytes < total) return null;
    const whole = Buffer.concat(open.parts).toString("base64");
    open = null;
    return whole;
  };
}

function checkSize(bytes: number): void {
  if (bytes > LIMITS.storageValueBytes)
    throw new ApiError("payload_too_large", `A stored value has at most ${LIMITS.storageValueBytes} bytes.`);
}
