import { Transform } from "node:stream";

const REPLACEMENT = "[key]";

/**
 * The spellings of a key that an answer may hold: as it is, encoded for addresses (in both cases), as JSON (slashes escaped or not), in
 * base 64 as in basic authentication.
 */
export function spellKey(key: string | null, credential: string | null): string[] {
  if (key === null) return [];
  const encoded = encodeURIComponent(key);
  const inJson = JSON.stringify(key).slice(1, -1);
  const spellings = [
    ...[key, encoded, encoded.replace(/%../g, (code) => code.toLowerCase()), inJson, inJson.replaceAll("/", "\\/")],
    Buffer.from(key).toString("base64"),
  ];
  const coded = credential?.split(" ").at(-1) ?? key;
  return [...new Set([...spellings, coded])].sort((a, b) => b.length - a.length);
}

export function createTextRedactor(spellings: readonly string[]): (text: string) => string {
  return (text) => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, REPLACEMENT), text);
}

/**
 * Takes the key out of a stream. Bytes at the end that may be the beginning of a key wait for the next chunk; all others go
 * on at once, so that a stream of events stays one.
 */
export function createStreamRedactor(spellings: readonly string[]): Transform {
  const needles = spellings.map((spelling) => Buffer.from(spelling, "latin1"));
  let held = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = replaceAll(held.length > 0 ? Buffer.concat([held, chunk]) : chunk, needles);
      const keep = needles.reduce((most, needle) => Math.max(most, countBeginning(bytes, needle)), 0);
      held = Buffer.from(bytes.subarray(bytes.length - keep));
      done(null, bytes.subarray(0, bytes.length - keep));
    },
    flush(done) {
      done(null, held);
    },
  });
}

function replaceAll(bytes: Buffer, needles: readonly Buffer[]): Buffer {
  let rest = bytes;
  for (const needle of needles) {
    if (!rest.includes(needle)) continue;
    // One byte a character: whatever is not the key stays as it is.
    rest = Buffer.from(rest.toString("latin1").replaceAll(needle.toString("latin1"), REPLACEMENT), "latin1");
  }
  return rest;
}

/** How many bytes at the end are the beginning of the needle. */
function countBeginning(bytes: Buffer, needle: Buffer): number {
  for (let count = Math.min(needle.length - 1, bytes.length); count > 0; count--) {
    if (bytes.subarray(bytes.length - count).equals(needle.subarray(0, count))) return count;
  }
  return 0;
}
