/**
 * Text that code wrote (a title, a path, a message) could drive the terminal it is shown on: what is no printable
 * character is shown as its escape. Line breaks and tabs stay.
 */
export function cleanText(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/gu, (character) => {
    if (character === "\n" || character === "\t") return character;
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text.replace(/\s+/g, " ").trim());
}
