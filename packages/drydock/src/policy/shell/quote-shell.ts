/** One word of a command line that somebody may paste into a shell. */
export function quoteShell(text: string): string {
  return /^[\w.:/@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
