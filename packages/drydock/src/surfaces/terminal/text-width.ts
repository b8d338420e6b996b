import { eastAsianWidth } from "get-east-asian-width";

const PRINTABLE_ASCII = /^[ -~]*$/;
/** Marks that stand on the character before them, and characters that only join or direct others. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}[[\p{Cf}&&\p{Default_Ignorable_Code_Point}]--[\u00AD]]]/v;
const EMOJI_SELECTOR = "\uFE0F";

/**
 * How many columns of a terminal a text takes. Where terminals differ (joined emoji, skin tones), the larger number counts: a
 * table with a gap can be read, and a line that the terminal breaks in two can't be written over.
 */
export function widthOf(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  let width = 0;
  for (const [, columns] of measureCharacters(text)) width += columns;
  return width;
}

/** The beginning of a text that is too wide, with an ellipsis. Reads no further than the cut. */
export function cut(text: string, width: number): string {
  if (width < 4) return text;
  let used = 0;
  let kept = 0;
  let end = 0;
  for (const [character, columns] of measureCharacters(text)) {
    used += columns;
    if (used > width) return `${text.slice(0, kept)}…`;
    end += character.length;
    if (used < width) kept = end;
  }
  return text;
}

function* measureCharacters(text: string): Generator<[character: string, columns: number]> {
  let columns = 0;
  let previous = "";
  for (const character of text) {
    // The selector turns a symbol of one column into a picture of two.
    if (character === EMOJI_SELECTOR) columns = columns === 1 && /\p{Emoji}/u.test(previous) ? 1 : 0;
    else columns = ZERO_WIDTH.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
    yield [character, columns];
    previous = character;
  }
}
