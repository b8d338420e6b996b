import { cleanText } from "./clean-text.ts";

const ESCAPE = "\u001b";
/** Colours (SGR) and nothing else of what a terminal obeys. */
const COLOR = new RegExp(`(${ESCAPE}\\[[\\d;:]{0,64}m)`);
/** The beginning of what may become a colour or a character with the next chunk. */
const BEGUN = new RegExp(`(?:${ESCAPE}(?:\\[[\\d;:]{0,64})?|[\\ud800-\\udbff])$`);
const LONGEST_BEGUN = 66;
const HAS_CONTROL = /[^\P{Cc}\n\t]|\p{Bidi_Control}|\p{Surrogate}/u;
/** How many of the numbers after 38 and 48 tell the colour: 5 an index, 2 red, green and blue. */
const COLOR_NUMBERS: Record<string, number> = { 5: 2, 2: 4 };

/**
 * Text that code or a model wrote, for a person's terminal: colours pass. Everything else that could move the cursor,
 * hide text, rename the window, ask the terminal or reach the clipboard is shown as its escape. A carriage return starts a
 * new line, because it would otherwise let text hide the text before it.
 */
export function filterText(text: string): string {
  if (!HAS_CONTROL.test(text)) return text;
  return text
    .replace(/\r+\n?/g, "\n")
    .split(COLOR)
    .map((part, index) => (index % 2 === 1 && !isConcealing(part) ? part : cleanText(part)))
    .join("");
}

/**
 * The same for frontends of notebooks, of which some are terminals. There a progress bar writes over its own line, so that
 * carriage returns and backspaces pass as well.
 */
export function filterCellText(text: string): string {
  if (!HAS_CONTROL.test(text)) return text;
  const keepMoves = (part: string) =>
    part.split(/([\r\b]+)/).map((each) => (/[\r\b]/.test(each) ? each : cleanText(each)));
  return text
    .split(COLOR)
    .map((part, index) => (index % 2 === 1 && !isConcealing(part) ? part : keepMoves(part).join("")))
    .join("");
}

/** The same for text that comes in chunks, cut anywhere: what may become a colour waits for the rest of it. */
export function createCellFilter(): { write(text: string): string; end(): string } {
  let held = "";
  return {
    write(text) {
      const whole = held + text;
      held = BEGUN.exec(whole.slice(-LONGEST_BEGUN))?.[0] ?? "";
      return filterCellText(whole.slice(0, whole.length - held.length));
    },
    end() {
      const rest = held;
      held = "";
      return filterCellText(rest);
    },
  };
}

/** Text for a terminal that comes in chunks, cut anywhere. What was painted ends with it. */
export function createOutputFilter(): { write(text: string): string; end(): string } {
  let held = "";
  let isPainted = false;
  let isLineStart = true;
  const filter = (text: string) => {
    // A progress bar begins with a carriage return: nothing is hidden by it, and no empty line is wanted.
    const shown = filterText(isLineStart ? text.replace(/^\r+(?!\n|\r)/, "") : text);
    const last = shown.split(COLOR).findLast((_, index) => index % 2 === 1);
    if (last !== undefined) isPainted = !/\[0?m$/.test(last);
    if (shown !== "") isLineStart = shown.endsWith("\n");
    return shown;
  };
  return {
    write(text) {
      const whole = held + text;
      let end = whole.length;
      while (whole[end - 1] === "\r") end--;
      // Any number of carriage returns is one line break, and with a line feed behind them still one.
      if (end < whole.length) held = "\r";
      else {
        held = BEGUN.exec(whole.slice(-LONGEST_BEGUN))?.[0] ?? "";
        end -= held.length;
      }
      return filter(whole.slice(0, end));
    },
    end() {
      const rest = filter(held);
      const plain = isPainted ? `${ESCAPE}[0m` : "";
      held = "";
      isPainted = false;
      return rest + plain;
    },
  };
}

/**
 * Whether a colour sequence makes text invisible (SGR 8), as opposed to the eighth colour of a palette. Terminals that do not
 * know the colour of underlines (58) skip that number alone, and take those after it for what they are by themselves.
 */
function isConcealing(sequence: string): boolean {
  const groups = sequence.slice(2, -1).split(";");
  for (let index = 0; index < groups.length; index++) {
    const [code = "", ...rest] = (groups[index] ?? "").split(":");
    if (rest.length === 0 && ["38", "48"].includes(code)) index += COLOR_NUMBERS[groups[index + 1] ?? ""] ?? 0;
    else if (Number(code) === 8) return true;
  }
  return false;
}
