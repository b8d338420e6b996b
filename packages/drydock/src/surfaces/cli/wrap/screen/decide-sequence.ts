/** A control sequence (CSI): `ESC [`, a private prefix, numbers, intermediate characters, and the character that names it. */
export interface ControlSequence {
  prefix: string;
  numbers: string;
  intermediates: string;
  final: string;
}

const PLAIN = new Set("@ABCDEFGHIJKLMPSTXZ`abdefghlmrsu");
const PRIVATE: Readonly<Record<string, string>> = {
  // Modes, erasing, and whether the keyboard speaks the newer protocol.
  "?": "hlJKu",
  // What kind of terminal it is, which keys are told apart, and its version.
  ">": "cmuqn",
  "<": "u",
  "=": "uc",
};
/** Cursor style, soft reset, whether a mode is set, protection of characters. */
const WITH_INTERMEDIATES = new Set([" q", "!p", "$p", '"q']);
/** Sizes in pixels, in cells and of a cell, and the stack of titles. Not: moving the window, and reading its title. */
const WINDOW_REPORTS = /^(?:14|15|16|18|19|2[23](?:;[012])?)(?:;\d*)?$/;

/** Modes that programs set and terminals start without: the other screen, mouse, paste, focus, application keys. */
export const OFF_BY_DEFAULT = [
  ...["1049", "1047", "47", "9", "1000", "1001", "1002", "1003", "1004", "1005", "1006", "1015", "1016"],
  ...["2004", "2026", "2027", "2031", "2048", "1", "5", "6", "45", "66", "69", "1007"],
];
/** Lines that wrap, and the cursor. */
export const ON_BY_DEFAULT = ["25", "7"];
/** A cursor that blinks, and one that is saved. */
const WITHOUT_TRACE = ["12", "1048"];
const PRIVATE_MODES = new Set([...OFF_BY_DEFAULT, ...ON_BY_DEFAULT, ...WITHOUT_TRACE]);
/** Characters that push others aside. */
export const INSERT_MODE = "4";

/**
 * The sequence without modes that a program has no business with: what locks the keyboard, changes what keys send, resizes or raises the
 * window, or has the terminal read everything differently (VT52). What passes is undone at the end. Null: nothing is left of it.
 */
export function keepModes(sequence: ControlSequence): ControlSequence | null {
  const { prefix, numbers, intermediates, final } = sequence;
  if (intermediates !== "" || (final !== "h" && final !== "l")) return sequence;
  const isKept = (mode: string) => (prefix === "?" ? PRIVATE_MODES.has(mode) : mode === INSERT_MODE);
  const kept = numbers.split(";").filter(isKept);
  return kept.length === 0 ? null : { ...sequence, numbers: kept.join(";") };
}

/**
 * Whether a terminal may see it. A list of what passes: what draws, what a program needs to know of the terminal, and whose
 * answer has a fixed form. What prints, moves the window, reads the screen or the title back does not.
 */
export function maySee({ prefix, numbers, intermediates, final }: ControlSequence): boolean {
  if (intermediates !== "") return WITH_INTERMEDIATES.has(intermediates + final) && (prefix === "" || prefix === "?");
  if (prefix === "?" && final === "n") return /^(?:6|996)$/.test(numbers);
  if (prefix !== "") return PRIVATE[prefix]?.includes(final) ?? false;
  switch (final) {
    case "n":
      return /^[56]$/.test(numbers);
    case "c":
      return /^0?$/.test(numbers);
    case "t":
      return WINDOW_REPORTS.test(numbers);
    default:
      return PLAIN.has(final);
  }
}

/** Whether the terminal answers to it, as if somebody had typed. */
export function isQuestion({ prefix, numbers, intermediates, final }: ControlSequence): boolean {
  if (intermediates === "$") return true;
  return (
    "cnt".includes(final) || (final === "u" && prefix === "?") || (final === "q" && prefix === ">" && numbers !== "")
  );
}

const TITLES = new Set(["0", "1", "2"]);
const COLORS = new Set(["4", "10", "11", "12", "17", "19", "104", "110", "111", "112", "117", "119"]);
const MAX_TITLE = 200;

export type CommandFate = { kind: "drop" } | { kind: "pass"; text: string; is: "title" | "color" | "link" };

/**
 * What becomes of an operating system command (OSC). Titles pass as plain text, colours and web links as they are. The
 * clipboard, notifications, working directories, prompt marks and files do not.
 */
export function decideCommand(text: string): CommandFate {
  const at = text.indexOf(";");
  const number = at < 0 ? text : text.slice(0, at);
  const rest = at < 0 ? "" : text.slice(at + 1);
  if (TITLES.has(number)) return { kind: "pass", is: "title", text: `${number};${clean(rest).slice(0, MAX_TITLE)}` };
  if (COLORS.has(number)) return /^[\w;?#:/.,-]{0,256}$/.test(rest) ? { kind: "pass", is: "color", text } : DROP;
  if (number === "8") return isWebLink(rest) ? { kind: "pass", is: "link", text } : DROP;
  return DROP;
}

const DROP = { kind: "drop" } as const;

/** `PARAMS;URI`; without a URI a link ends. */
function isWebLink(rest: string): boolean {
  const at = rest.indexOf(";");
  if (at < 0 || !/^[\w:=.-]{0,128}$/.test(rest.slice(0, at))) return false;
  const uri = rest.slice(at + 1);
  return uri === "" || /^(?:https?:\/\/|mailto:)[\x21-\x7e]{1,2048}$/.test(uri);
}

function clean(text: string): string {
  return text.replace(/\p{Cc}|\p{Bidi_Control}/gu, "");
}
