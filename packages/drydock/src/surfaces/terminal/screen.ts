import { stripVTControlCharacters } from "node:util";
import type { ErrorInfo } from "@drydock/protocol";
import type { OutputChunk } from "../../app/index.ts";
import { createOutputFilter } from "./filter-output.ts";
import { paintCode, paintValue } from "./paint-value.ts";
import { renderError } from "./render/render-error.ts";
import type { Terminal } from "./terminal.ts";

/** Where the REPL speaks. What others wrote is passed through a filter where a person's terminal would obey it. */
export interface Screen {
  readonly terminal: Terminal;
  /** Drydock's own words. */
  say(text: string): void;
  /** Beside the matter: notes, for people. */
  note(text: string): void;
  /** The same as it is, with its own line ends. */
  aside(text: string): void;
  error(info: ErrorInfo): void;
  output(chunk: OutputChunk): void;
  /** A model's words as they come. */
  words(text: string): void;
  code(code: string): void;
  value(value: unknown): void;
  /** Ends whatever was being streamed, on a line of its own. */
  endStream(): void;
  /** The unfinished line that the output ends with. */
  readonly unfinished: string;
  /** A person has ended that line by typing an answer. */
  endAnswer(): void;
}

/** A line that somebody answers is shorter. */
const MAX_LINE_CHARS = 4096;

export function createScreen(terminal: Terminal): Screen {
  const filters = { stdout: createOutputFilter(), stderr: createOutputFilter() };
  const { out, err, outColors, errColors, isOutputTerminal } = terminal;
  let isMidLine = false;
  let unfinished = "";
  const write = (stream: "stdout" | "stderr", text: string) => {
    if (text === "") return;
    isMidLine = isColorOnly(text) ? isMidLine : !text.endsWith("\n");
    unfinished = `${unfinished}${text}`.slice(-MAX_LINE_CHARS).split("\n").at(-1) ?? "";
    if (stream === "stdout") out(text);
    else err(text);
  };
  const pass = ({ stream, text }: OutputChunk) => write(stream, isOutputTerminal ? filters[stream].write(text) : text);
  const endStream = () => {
    for (const stream of ["stdout", "stderr"] as const) write(stream, filters[stream].end());
    if (isMidLine) out("\n");
    endLine();
  };
  const endLine = () => {
    isMidLine = false;
    unfinished = "";
  };
  return {
    terminal,
    say: (text) => {
      endStream();
      out(text);
    },
    note: (text) => {
      endStream();
      err(`${errColors.dim(text)}\n`);
    },
    aside: (text) => {
      endStream();
      err(text);
    },
    error: (info) => {
      endStream();
      err(renderError(info, errColors));
    },
    output: pass,
    words: (text) => pass({ stream: "stdout", text }),
    code: (code) => {
      endStream();
      out(paintCode(code, outColors));
    },
    value: (value) => {
      endStream();
      out(`${paintValue(value, outColors)}\n`);
    },
    endStream,
    get unfinished() {
      return unfinished;
    },
    endAnswer: endLine,
  };
}

/** The end of a colour takes no room. */
function isColorOnly(text: string): boolean {
  return stripVTControlCharacters(text) === "";
}
