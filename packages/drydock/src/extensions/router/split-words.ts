import { type InputPosition, locateError, refuseAt, refuseInput, showText } from "./refuse-input.ts";

export interface Word extends InputPosition {
  /** As it is meant: without its quotes and backslashes. */
  text: string;
  /** Nothing in it was quoted. */
  isBare: boolean;
}

export interface OpenQuote {
  quote: "'" | '"' | "\\";
  at: number;
}

export interface ScannedLine {
  /** The commands of a pipeline, each with its words; a line without `|` has one. */
  commands: Word[][];
  /** Where each `|` stands. */
  pipes: number[];
  /** A quote that is not closed, or a backslash with nothing after it. */
  open: OpenQuote | null;
}

const MAX_LINE_CHARS = 1_048_576;
const MAX_WORDS = 10_000;
const BLANK = /[ \t\n\r]/;
/** `{{ last.json.x }}` is a part of its word, spaces and all; what it stands for is put in long after the splitting. */
const TEMPLATE = /\{\{\s{0,20}(?:last|history)\b[^{}\n]{0,1000}\}\}/y;
/** What would be an operator to a shell. Between other characters they are plain: addresses are full of `&`. */
const OPERATOR = /^(?:[;&<>]+|\d?[<>]{1,2}&?\d?)$/;

/**
 * Words as a POSIX shell would make them from quotes and backslashes, and nothing else of a shell: there are no variables,
 * substitutions, globs, redirections or lists. Never throws, so that a line can be looked at while it is being typed.
 */
export function scanWords(line: string): ScannedLine {
  const commands: Word[][] = [[]];
  const pipes: number[] = [];
  let open: OpenQuote | null = null;
  let word: Word | null = null;
  let at = 0;
  const begin = (): Word => {
    word ??= { text: "", start: at, end: at, isBare: true };
    return word;
  };
  const finish = () => {
    if (word) commands.at(-1)?.push({ ...word, end: at });
    word = null;
  };
  while (at < line.length && open === null) {
    const character = line[at] ?? "";
    if (BLANK.test(character)) {
      finish();
      at += 1;
    } else if (character === "|") {
      finish();
      pipes.push(at);
      commands.push([]);
      at += 1;
    } else if (character === "\\" && line[at + 1] === "\n") {
      // A backslash before a line break joins the lines.
      at += 2;
    } else if (character === "\\") {
      const current = begin();
      current.isBare = false;
      if (at + 1 >= line.length) open = { quote: "\\", at };
      current.text += line[at + 1] ?? "";
      at = Math.min(at + 2, line.length);
    } else if (character === "'" || character === '"') {
      const current = begin();
      current.isBare = false;
      const quoted = character === "'" ? readSingle(line, at) : readDouble(line, at);
      if (quoted.end === null) open = { quote: character, at };
      current.text += quoted.text;
      at = quoted.end ?? line.length;
    } else {
      const taken = readTemplate(line, at) ?? character;
      begin().text += taken;
      at += taken.length;
    }
  }
  finish();
  return { commands, pipes, open };
}

interface Quoted {
  text: string;
  /** After the closing quote; null where there is none. */
  end: number | null;
}

function readSingle(line: string, start: number): Quoted {
  const close = line.indexOf("'", start + 1);
  return close < 0
    ? { text: line.slice(start + 1), end: null }
    : { text: line.slice(start + 1, close), end: close + 1 };
}

/** Within double quotes a backslash speaks for `$`, a backtick, `"`, itself and a line break only. */
function readDouble(line: string, start: number): Quoted {
  let text = "";
  for (let at = start + 1; at < line.length; at++) {
    const character = line[at] ?? "";
    if (character === '"') return { text, end: at + 1 };
    const next = line[at + 1];
    if (character === "\\" && next !== undefined && '$`"\\\n'.includes(next)) {
      if (next !== "\n") text += next;
      at += 1;
    } else text += character;
  }
  return { text, end: null };
}

function readTemplate(line: string, at: number): string | null {
  if (line[at] !== "{" || line[at + 1] !== "{") return null;
  TEMPLATE.lastIndex = at;
  return TEMPLATE.exec(line)?.[0] ?? null;
}

/** The commands of a line, each with its words. DrydockError `input.invalid` for what can't be one. */
export function splitWords(line: string): Word[][] {
  if (line.length > MAX_LINE_CHARS) {
    const hint = "Put long text into a file, or give the values as data.";
    throw refuseInput(`The line has ${line.length} characters, and may have ${MAX_LINE_CHARS}.`, hint);
  }
  const scanned = scanWords(line);
  try {
    refuseOpen(scanned);
    refuseLineBreaks(line, scanned);
    refuseOperators(scanned);
    refuseEmpty(scanned);
  } catch (error) {
    throw locateError(line, error);
  }
  return scanned.commands;
}

function refuseOpen({ open }: ScannedLine): void {
  if (!open) return;
  const { quote, at } = open;
  if (quote === "\\") throw refuseAt(at, "The line ends with a lone backslash.", "Take it away, or double it.");
  const name = quote === "'" ? "single" : "double";
  throw refuseAt(
    at,
    `A ${name} quote is opened here and never closed.`,
    `Close it with ${quote}, or put \\ before it.`,
  );
}

/** Between words a line break would look like the end of a command, and silently be none. */
function refuseLineBreaks(line: string, { commands }: ScannedLine): void {
  let from: number | null = null;
  for (const word of commands.flat()) {
    const found =
      from === null
        ? -1
        : line
            .slice(from, word.start)
            .replaceAll("\\\n", "  ")
            .search(/[\n\r]/);
    if (from !== null && found >= 0) {
      const hint = "Quote text that has several lines; a \\ at the end of a line joins it with the next.";
      throw refuseAt(from + found, "The line is broken here.", hint);
    }
    from = word.end;
  }
}

function refuseOperators({ commands }: ScannedLine): void {
  const words = commands.flat();
  if (words.length > MAX_WORDS) {
    throw refuseInput(
      `The line has ${words.length} words, and may have ${MAX_WORDS}.`,
      "Quote text that is one value.",
    );
  }
  for (const { text, isBare, start } of words) {
    if (!isBare || !OPERATOR.test(text)) continue;
    throw refuseAt(
      start,
      `${showText(text)} does nothing here: this is not a shell.`,
      "Quote it where it is meant as text.",
    );
  }
}

function refuseEmpty({ commands, pipes }: ScannedLine): void {
  const empty = commands.findIndex((words) => words.length === 0);
  if (pipes.length === 0 || empty < 0) return;
  const hint = "As in: /curl get https://example.org | /jq .title; quote a | that is text.";
  throw refuseAt(pipes[Math.max(0, empty - 1)] ?? 0, "A command is missing before or after this |.", hint);
}

const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;

/** A text as one word of a line, whatever it holds; a shell would read it as the same word. */
export function quoteWord(text: string): string {
  if (PLAIN.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
