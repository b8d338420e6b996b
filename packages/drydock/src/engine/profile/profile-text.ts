import { fitText } from "../../base/text/index.ts";

/** What a profile may take of a prompt. */
export const MAX_PROFILE_CHARACTERS = 6000;

/**
 * A profile's text as it is stored and used in prompts: only visible characters, spaces and line feeds, with a maximum
 * length. Longer texts are cut at the end of a line.
 */
export function cleanProfileText(text: string): string {
  const visible = text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "  ")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu, (character) => (character === "\n" ? "\n" : ""))
    .replace(/[^\S\n]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  if (visible.length <= MAX_PROFILE_CHARACTERS) return visible;
  const note = "\n(shortened)";
  const cut = visible.slice(0, MAX_PROFILE_CHARACTERS - note.length).toWellFormed();
  const end = cut.lastIndexOf("\n");
  return `${(end > MAX_PROFILE_CHARACTERS / 2 ? cut.slice(0, end) : cut).trimEnd()}${note}`;
}

/** One line out of whatever text, of a bounded length. */
export function cleanLine(text: string, characters: number): string {
  const line = cleanProfileText(text.slice(0, characters * 4)).replace(/\s+/g, " ");
  return fitText(line, characters);
}
