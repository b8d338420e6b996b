import type { AnswerInput } from "../../app/index.ts";
import { createAnswerQueue } from "../../base/waiting/index.ts";

/** A longer line is passed on in pieces. */
const MAX_LINE_CHARS = 1024 * 1024;
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const BACKSPACES = ["\b", "\u007f"];

export interface InputAnswers {
  answer: AnswerInput;
  /** Nothing more is read. */
  close(): void;
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

  const take = (text: string) => (isHidden ? takeKeys(text) : takeText(text));

  function takeText(text: string): void {
    rest += text;
    const parts = rest.split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) lines.give(part.replace(/\r$/, ""));
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
