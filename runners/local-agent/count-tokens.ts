const PER_MESSAGE = 4;

/**
 * An estimate that is rather too high: four letters of Latin script make a token, one sign of most other scripts does. To
 * count exactly would take a call for each message.
 */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (const sign of text) if ((sign.codePointAt(0) ?? 0) > 0x2ff) wide++;
  return Math.ceil((text.length - wide) / 4) + wide + PER_MESSAGE;
}

/** The end of a text is left out where it is too long. */
export function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}\n[… ${text.length - maxChars} characters more]`;
}
