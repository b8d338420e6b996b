import { DrydockError } from "@drydock/protocol";
import { quoteWord } from "../../../extensions/index.ts";

export interface DoWords {
  line: string;
  /** Words after a line that is one quoted word: options of `drydock do`. */
  rest: readonly string[];
}

/**
 * The line as one word, `'/curl get https://…'`, or its words as the shell split them. Words that were split already stay as
 * they are: what looks like a pipe or a quote in one of them is text.
 */
export function readDoWords(words: readonly string[], trailing: readonly string[] | null): DoWords {
  const [first = "/help", ...rest] = words;
  if (!/[\s|]/.test(first)) {
    return { line: [first, ...rest, ...(trailing ? ["--", ...trailing] : [])].map(quoteWord).join(" "), rest: [] };
  }
  if (trailing) {
    throw new DrydockError(
      "input.invalid",
      "The whole line is in quotes, so nothing can follow after --.",
      "Put them into the quotes, or quote nothing but the values.",
    );
  }
  return { line: first, rest };
}
