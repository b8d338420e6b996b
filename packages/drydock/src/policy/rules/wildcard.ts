/**
 * Tells whether a pattern in which `*` stands for any run of characters matches the whole text. It works without
 * regular expressions, in linear space and without backtracking more than one star, so that neither a newline nor a
 * hostile pattern can surprise it.
 *
 * With a pattern as the text it decides coverage: a `*` of the text can only be swallowed by a `*` of the pattern,
 * hence whatever the text stands for is matched by the pattern as well.
 */
export function matchWildcard(pattern: string, text: string, stop = ""): boolean {
  let p = 0;
  let t = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (t < text.length) {
    if (pattern[p] === "*") {
      starAt = p++;
      resumeAt = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (starAt >= 0 && text[resumeAt] !== stop) {
      p = starAt + 1;
      t = ++resumeAt;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
