/** A piece of output with one look. The numbers are those of the eight colours; null: the text's own. */
export interface AnsiPiece {
  text: string;
  color: number | null;
  isBold: boolean;
  isDim: boolean;
  isUnderlined: boolean;
}

/**
 * Sequences that set colours, in the first group; all other ones; and control characters, which could overwrite what stands
 * there. It is put together from texts, since escape sequences are what is looked for.
 */
const SEQUENCE = new RegExp(
  [
    String.raw`\x1b\[([\d;]*)m`,
    String.raw`\x1b\[[0-?]*[ -/]*[@-~]`,
    String.raw`\x1b[\]PX^_][\s\S]*?(?:\x07|\x1b\\|$)`,
    String.raw`\x1b[ -/]*[0-~]?`,
    String.raw`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]`,
  ].join("|"),
  "g",
);

/** What a terminal would show, as text with colours: nothing moves the cursor, names a title or makes a link. */
export function parseAnsi(output: string): AnsiPiece[] {
  const pieces: AnsiPiece[] = [];
  let look: Omit<AnsiPiece, "text"> = { color: null, isBold: false, isDim: false, isUnderlined: false };
  let from = 0;
  const add = (to: number) => {
    const text = showHidden(overwrite(output.slice(from, to)));
    if (text !== "") pieces.push({ ...look, text });
  };
  for (const match of output.matchAll(SEQUENCE)) {
    add(match.index);
    from = match.index + match[0].length;
    if (match[1] !== undefined) look = applyCodes(look, match[1]);
  }
  add(output.length);
  return pieces;
}

/** A carriage return begins the line again, as progress bars do: the last state of a line is what is seen. */
function overwrite(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(/[^\n]*\r(?=[^\n])/g, "")
    .replaceAll("\r", "");
}

/** Characters that change the direction of what follows, or are not seen, are shown as their numbers. */
function showHidden(text: string): string {
  return text.replaceAll(
    /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
    (char) => `⟨U+${char.charCodeAt(0).toString(16).toUpperCase()}⟩`,
  );
}

function applyCodes(look: Omit<AnsiPiece, "text">, codes: string): Omit<AnsiPiece, "text"> {
  const numbers = codes === "" ? [0] : codes.split(";").map(Number);
  const next = { ...look };
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    if (code === 0) Object.assign(next, { color: null, isBold: false, isDim: false, isUnderlined: false });
    else if (code === 1) next.isBold = true;
    else if (code === 2) next.isDim = true;
    else if (code === 4) next.isUnderlined = true;
    else if (code === 22) Object.assign(next, { isBold: false, isDim: false });
    else if (code === 24) next.isUnderlined = false;
    else if (code >= 30 && code <= 37) next.color = code - 30;
    else if (code >= 90 && code <= 97) next.color = code - 90;
    else if (code === 39) next.color = null;
    // Colours by number or by their parts: they are passed over with what belongs to them.
    else if (code === 38 || code === 48) at += numbers[at + 1] === 5 ? 2 : 4;
  }
  return next;
}
