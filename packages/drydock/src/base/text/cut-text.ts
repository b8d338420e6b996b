/** The beginning of a text that is too long, with a mark in place of the rest. No cut here parts a character. */
export function cutText(text: string, maxChars: number, mark = "…"): string {
  return text.length > maxChars ? `${takeHead(text, maxChars)}${mark}` : text;
}

/** The same where the mark, too, has to find room. */
export function fitText(text: string, maxChars: number): string {
  return text.length > maxChars ? `${takeHead(text, maxChars - 1)}…` : text;
}

/** The end of a text that is too long. */
export function cutStart(text: string, maxChars: number, mark = "…"): string {
  return text.length > maxChars ? `${mark}${takeTail(text, maxChars)}` : text;
}

/** One line, with its middle left out where it is too long. */
export function shortenLine(text: string, maxChars: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= maxChars) return line;
  const half = Math.floor((maxChars - 3) / 2);
  return `${takeHead(line, half)} … ${takeTail(line, half)}`;
}

function takeHead(text: string, chars: number): string {
  return text.slice(0, splitsCharacter(text, chars) ? chars - 1 : chars);
}

function takeTail(text: string, chars: number): string {
  const start = text.length - chars;
  return text.slice(splitsCharacter(text, start) ? start + 1 : start);
}

/** Whether a cut before this unit would part a pair of surrogates. */
function splitsCharacter(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
