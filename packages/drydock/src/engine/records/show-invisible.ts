/**
 * Characters that can't be seen, or that turn the direction of the text around them, become signs: a report must not read
 * otherwise than what was recorded. What is left is well-formed, and holds no character that XML forbids.
 */
export function showInvisible(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\u200B\uFEFF\uFFFE\uFFFF]/gu, (character) => {
    if (character === "\n" || character === "\t") return character;
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? "\u2421" : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}
