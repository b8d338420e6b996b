/** A text to look for, and the name that stands in for it. */
export interface Literal {
  text: string;
  name: string;
}

/** Shorter literals are not accepted: they would be found everywhere, and the search skips ahead by this length. */
export const MIN_LITERAL_LENGTH = 8;
/** The same for values that somebody has named a secret, so that there is no doubt about them. */
export const MIN_SECRET_LENGTH = 6;
const BLOCK = 3;
const TABLE_SIZE = 1 << 16;

export interface LiteralSearch {
  /** The text with each literal replaced; the same string where none occurs. */
  replace(text: string, replacement: (name: string) => string): string;
}

/**
 * Looks for hundreds of literals at once (Wu and Manber's way): at each step the last three characters of a window of
 * the shortest length say how far it may move on without missing any. Most of a text is never looked at, where a
 * regular expression of all the literals would try each of them at each position.
 */
export function createLiteralSearch(literals: readonly Literal[], shortest = MIN_LITERAL_LENGTH): LiteralSearch {
  const shifts = new Uint8Array(TABLE_SIZE).fill(shortest - BLOCK + 1);
  const candidates = new Map<number, Literal[]>();
  for (const literal of literals) {
    if (literal.text.length < shortest) continue;
    for (let end = BLOCK; end <= shortest; end++) {
      const block = blockAt(literal.text, end - 1);
      shifts[block] = Math.min(shifts[block] ?? 0, shortest - end);
      if (end !== shortest) continue;
      const bucket = candidates.get(block);
      if (bucket) bucket.push(literal);
      else candidates.set(block, [literal]);
    }
  }
  // Where one literal begins with another, the longer one is the whole secret.
  for (const bucket of candidates.values()) bucket.sort((a, b) => b.text.length - a.text.length);

  function find(text: string, from: number): { index: number; literal: Literal } | undefined {
    let end = from + shortest - 1;
    while (end < text.length) {
      const block = blockAt(text, end);
      const shift = shifts[block] ?? 0;
      if (shift > 0) {
        end += shift;
        continue;
      }
      const index = end - shortest + 1;
      const literal = candidates.get(block)?.find((candidate) => text.startsWith(candidate.text, index));
      if (literal) return { index, literal };
      end += 1;
    }
    return undefined;
  }

  return {
    replace(text, replacement) {
      if (candidates.size === 0) return text;
      let done = 0;
      let result = "";
      for (let hit = find(text, 0); hit; hit = find(text, done)) {
        result += text.slice(done, hit.index) + replacement(hit.literal.name);
        done = hit.index + hit.literal.text.length;
      }
      return done === 0 ? text : result + text.slice(done);
    },
  };
}

function blockAt(text: string, last: number): number {
  const a = text.charCodeAt(last - 2);
  const b = text.charCodeAt(last - 1);
  const c = text.charCodeAt(last);
  return ((a << 10) ^ (b << 5) ^ c) & (TABLE_SIZE - 1);
}
