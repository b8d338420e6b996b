/** Why a path is refused, or its segments without their encoding. */
export type CheckedPath = { ok: true; path: string; segments: string[] } | { ok: false; reason: string };

const MAX_CHARS = 8192;
/** Left over after one round of decoding, these would mean something to a server that decodes twice. */
const ENCODED_AGAIN = /%(2e|2f|5c|00|25)/i;

/**
 * Reads the path of a request line so that no server can read it in another way than the rules do: what could be resolved,
 * split or decoded differently is refused, not normalised.
 */
export function checkPath(target: string): CheckedPath {
  const no = (reason: string): CheckedPath => ({ ok: false, reason });
  if (target.length > MAX_CHARS) return no(`the address is longer than ${MAX_CHARS} characters`);
  if (!/^[\x21-\x7e]+$/.test(target)) return no("the address holds characters that have to be percent-encoded");
  if (/[#\\]/.test(target)) return no("the address holds # or \\");
  const [path = ""] = target.split("?", 1);
  if (/%(2f|5c|00)/i.test(path)) return no("the path holds an encoded slash, backslash or NUL");
  const segments: string[] = [];
  for (const raw of path.slice(1).split("/")) {
    const segment = decode(raw);
    if (segment === null || hasControl(segment)) return no("the path has an encoding that can't be read");
    if (ENCODED_AGAIN.test(segment)) return no("the path is encoded twice");
    // Some servers cut what follows a semicolon before they look for dots.
    if (/^\.{1,2}(;|$)/.test(segment)) return no("the path holds . or .. as a segment");
    segments.push(segment);
  }
  if (segments.length > 1 && segments.includes("")) return no("the path holds an empty segment (//)");
  return { ok: true, path, segments: segments.length === 1 && segments[0] === "" ? [] : segments };
}

function hasControl(text: string): boolean {
  return [...text].some((char) => char < " " || char === "\x7f");
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
