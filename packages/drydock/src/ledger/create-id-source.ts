import { randomFillSync } from "node:crypto";

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const RANDOM_DIGITS = 16;

/**
 * Ids that sort by time: ten digits of milliseconds, sixteen random ones, base 32. Within one source each id is greater
 * than the one before: in the same millisecond, or when the clock jumps back, the random part counts up instead.
 */
export function createIdSource(now: () => Date): (prefix: string) => string {
  let lastMs = 0;
  const digits = new Uint8Array(RANDOM_DIGITS);
  return (prefix) => {
    const ms = now().getTime();
    if (ms > lastMs) {
      lastMs = ms;
      randomFillSync(digits);
      for (let i = 0; i < RANDOM_DIGITS; i++) digits[i] = (digits[i] ?? 0) & 31;
      // The top digit stays small, so that counting up never overflows.
      digits[0] = (digits[0] ?? 0) & 15;
    } else {
      for (let i = RANDOM_DIGITS - 1; i >= 0; i--) {
        const next = ((digits[i] ?? 0) + 1) & 31;
        digits[i] = next;
        if (next !== 0) break;
      }
    }
    let id = encodeTime(lastMs);
    for (const digit of digits) id += DIGITS.charAt(digit);
    return `${prefix}_${id}`;
  };
}

/** The ten digits of a time that an id begins with. */
export function encodeTime(ms: number): string {
  let digits = "";
  for (let i = 0, rest = Math.floor(ms); i < 10; i++, rest = Math.floor(rest / 32))
    digits = DIGITS.charAt(rest % 32) + digits;
  return digits;
}
