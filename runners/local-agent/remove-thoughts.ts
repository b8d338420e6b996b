const OPEN = "<think>";
const CLOSE = "</think>";

/*
 * said ──► thought    by <think>
 *   ▲         │
 *   └─────────┘       by </think>
 *
 * A mark may come in two pieces: the beginning of one is held back until it is known what it is.
 */
export interface ThoughtFilter {
  /** What may be shown of the next piece. */
  take(piece: string): string;
  /** What was held back and turned out to be no mark. */
  finish(): string;
}

export function createThoughtFilter(): ThoughtFilter {
  let rest = "";
  let isThought = false;
  let hasSaid = false;
  const say = (text: string) => {
    // The blank lines after a thought belong to it.
    const said = hasSaid ? text : text.trimStart();
    hasSaid ||= said !== "";
    return said;
  };
  return {
    take(piece) {
      rest += piece;
      let said = "";
      for (;;) {
        const mark = isThought ? CLOSE : OPEN;
        const at = rest.indexOf(mark);
        if (at === -1) break;
        if (!isThought) said += say(rest.slice(0, at));
        rest = rest.slice(at + mark.length);
        isThought = !isThought;
      }
      const held = countHeld(rest, isThought ? CLOSE : OPEN);
      if (!isThought) said += say(rest.slice(0, rest.length - held));
      rest = rest.slice(rest.length - held);
      return said;
    },
    finish() {
      const said = isThought ? "" : say(rest);
      rest = "";
      return said;
    },
  };
}

export function removeThoughts(text: string): string {
  const filter = createThoughtFilter();
  return filter.take(text) + filter.finish();
}

/** How many characters at the end could be the beginning of the mark. */
function countHeld(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--)
    if (mark.startsWith(text.slice(text.length - length))) return length;
  return 0;
}
