const PLAIN = /^[\w./:@%+,-]+$/;

/** One word of a command line, as shells read it. */
export function quoteArgument(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
