export interface Shortened {
  text: string;
  /** What was left out, in words; null where nothing was. */
  note: string | null;
}

export interface Lengths {
  lines: number;
  characters: number;
}

const MAX_LINE_CHARACTERS = 2000;

/** Shortens texts, each to its own length and all together to that of a page which a mail still carries. */
export interface PageBudget {
  take(text: string, lengths: Lengths): Shortened;
}

export function createPageBudget(characters: number): PageBudget {
  let left = characters;
  return {
    take(text, lengths) {
      if (left <= 0) return { text: "", note: "Left out: the page would be too large." };
      const shortened = shortenText(text, { ...lengths, characters: Math.min(lengths.characters, left) });
      left -= shortened.text.length;
      return shortened;
    },
  };
}

/** The beginning and the end of a text: the request is at the beginning, the result at the end. */
export function shortenText(text: string, { lines, characters }: Lengths): Shortened {
  const all = text.split("\n");
  const cut = all.map((line) =>
    line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}… (${line.length} characters)` : line,
  );
  const headLimit = { lines: Math.ceil((lines * 2) / 3), characters: (characters * 2) / 3 };
  const whole = takeLines(cut, { lines, characters });
  if (whole === all.length) return { text: cut.join("\n"), note: null };
  const head = takeLines(cut, headLimit);
  const rest = cut.slice(head).reverse();
  const tail = takeLines(rest, { lines: lines - headLimit.lines, characters: characters / 3 });
  const omitted = all.length - head - tail;
  const kept = [...cut.slice(0, head), `⋯ ${omitted} lines left out ⋯`, ...rest.slice(0, tail).reverse()];
  return { text: kept.join("\n"), note: `${omitted} of ${all.length} lines are left out here.` };
}

function takeLines(lines: readonly string[], limit: Lengths): number {
  let characters = 0;
  for (const [index, line] of lines.entries()) {
    characters += line.length + 1;
    if (index >= limit.lines || characters > limit.characters + 1) return index;
  }
  return lines.length;
}
