import type { AnswerInput } from "../../app/index.ts";
import { createAnswerQueue } from "../../base/waiting/index.ts";

/** A longer line is passed on in pieces. */
const MAX_LINE_CHARS = 1024 * 1024;
/** So many lines are answers of their own: a dialogue. What comes after them in a pipe or a file is data, as much at once as there is. */
const MOST_LINES = 256;
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const BACKSPACES = ["\b", "\u007f"];

export interface InputAnswers {
  answer: AnswerInput;
  /** Nothing more is read. */
  close(): void;
}

/** Of the lines of a pipe the first each by itself, and all others with those that come with them. */
function createGroups(): (lines: readonly string[]) => string[] {
  let left = MOST_LINES;
  return (lines) => {
    const rest = lines.slice(left).map((line) => `${line.replace(/\r$/, "")}\n`);
    const first = lines.slice(0, left);
    left -= first.length;
    return rest.length === 0 ? first : [...first, rest.join("")];
  };
}

/**
 * Answers with the lines of standard input. It is read from the first question on: what no code asks for is left to others, like the
 * rest of a shell's loop. On a terminal, a hidden answer is typed without echo; Ctrl-D ends the input, Ctrl-C interrupts.
 */
export function answerFromInput(open: () => NodeJS.ReadStream, showLineEnd: () => void): InputAnswers {
  const lines = createAnswerQueue<string | null>();
  let input: NodeJS.ReadStream | undefined;
  let hasEnded = false;
  let isHidden = false;
  let rest = "";
  const group = createGroups();

  const take = (text: string) => (isHidden ? takeKeys(text) : takeText(text));

  function takeText(text: string): void {
    rest += text;
    const parts = rest.split("\n");
    rest = parts.pop() ?? "";
    for (const answer of input?.isTTY ? parts : group(parts)) lines.give(answer.replace(/\r$/, ""));
    if (rest.length > MAX_LINE_CHARS) lines.give(takeRest());
  }

  function takeRest(): string {
    const text = rest;
    rest = "";
    return text;
  }

  /** In raw mode each key comes as it is. */
  function takeKeys(text: string): void {
    for (const key of text) {
      if (key === "\r" || key === "\n") endHidden(takeRest());
      else if (key === CTRL_C) {
        endHidden(null);
        process.kill(process.pid, "SIGINT");
      } else if (key === CTRL_D) endHidden(rest === "" ? null : takeRest());
      else if (BACKSPACES.includes(key)) rest = rest.slice(0, -1);
      else rest += key;
      if (!isHidden) return;
    }
  }

  function endHidden(line: string | null): void {
    showKeys();
    showLineEnd();
    rest = "";
    lines.give(line);
  }

  function showKeys(): void {
    if (isHidden) input?.setRawMode(false);
    isHidden = false;
  }

  function end(): void {
    hasEnded = true;
    if (rest !== "") lines.give(takeRest());
    lines.give(null);
  }

  function start(): NodeJS.ReadStream {
    if (input) return input;
    input = open();
    input.setEncoding("utf8");
    input.on("data", take).once("end", end).once("error", end);
    return input;
  }

  return {
    async answer({ hidden, signal }) {
      const source = start();
      if (hasEnded && lines.size === 0) return null;
      if (hidden && source.isTTY && lines.size === 0) {
        isHidden = true;
        source.setRawMode(true);
      }
      return lines.next(signal).finally(showKeys);
    },
    close() {
      showKeys();
      input?.off("data", take).pause();
    },
  };
}
