import { createInterface, type Interface } from "node:readline";
import type { InputRequest } from "../../app/index.ts";
import { untilAborted } from "../../base/waiting/index.ts";

export interface LineEditor {
  /** The next line; null at the end of the input, or where Ctrl-C was pressed with nothing typed (`interrupted`). */
  read(prompt: string): Promise<InputLine>;
  /**
   * An answer to code that waits for input, which is not remembered; null at its end (Ctrl-D). Ctrl-C stops what runs. The
   * prompt is on the screen already.
   */
  answer(prompt: string, request: InputRequest): Promise<string | null>;
  /** Listens for Ctrl-C while something runs; returns a function that ends it. */
  onInterrupt(act: () => void): () => void;
  close(): void;
}

export type InputLine = { kind: "line"; text: string } | { kind: "interrupted"; hadText: boolean } | { kind: "end" };

export interface EditorOptions {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WriteStream;
  isTerminal: boolean;
  history: readonly string[];
  complete(line: string): Promise<[string[], string]>;
  /** A typed line that is worth remembering. */
  onLine(line: string): void;
}

/**
 * Lines from a person or a pipe. Lines that come while none is read are kept, in order, so that pasted or piped lines
 * are not lost; a prompt is shown on a terminal only.
 */
export function openLineEditor(options: EditorOptions): LineEditor {
  const { input, output, isTerminal, onLine } = options;
  let isAnswering = false;
  let isHidden = false;
  const reader = createReader(options, () => isHidden);
  const closeReader = reader.close.bind(reader);
  let hasInputEnded = false;
  input.once("end", () => {
    hasInputEnded = true;
  });
  const waiting: InputLine[] = [];
  let hand: ((line: InputLine) => void) | null = null;
  let listener: (() => void) | null = null;
  let ended = false;
  const give = (line: InputLine) => {
    const take = hand;
    hand = null;
    if (take) take(line);
    else waiting.push(line);
  };
  reader.on("line", (text) => {
    if (isTerminal && !isAnswering) onLine(text);
    give({ kind: "line", text });
  });
  reader.on("history", (lines: string[]) => {
    if (isAnswering) lines.shift();
  });
  reader.on("SIGINT", () => {
    if (!hand) {
      // What was typed ahead belongs to what is being stopped.
      waiting.length = 0;
      listener?.();
      return;
    }
    const hadText = reader.line !== "";
    clearLine(reader);
    give({ kind: "interrupted", hadText });
  });
  reader.on("close", () => {
    ended = true;
    give({ kind: "end" });
  });
  function read(prompt: string): Promise<InputLine> {
    const next = waiting.shift();
    if (next) {
      if (next.kind === "end") waiting.push(next);
      return Promise.resolve(next);
    }
    if (ended) return Promise.resolve({ kind: "end" });
    return new Promise((resolve) => {
      hand = resolve;
      if (!isTerminal) return;
      reader.setPrompt(prompt);
      reader.prompt(true);
    });
  }
  return {
    read,
    async answer(prompt, { hidden, signal }) {
      // Ctrl-D ends the input of the code, and not the REPL.
      if (isTerminal) reader.close = () => give({ kind: "end" });
      isAnswering = true;
      isHidden = hidden && isTerminal;
      const line = await untilAborted(read(prompt), signal).catch(() => null);
      if (line === null) {
        hand = null;
        clearLine(reader);
      }
      reader.close = closeReader;
      if (hasInputEnded) closeReader();
      // Who typed nothing, or typed unseen, has not ended the line of the prompt.
      if (isTerminal && (isHidden || line?.kind !== "line")) output.write(line?.kind === "interrupted" ? "^C\n" : "\n");
      isAnswering = isHidden = false;
      if (line?.kind === "interrupted") listener?.();
      return line?.kind === "line" ? line.text : null;
    },
    onInterrupt(act) {
      listener = act;
      return () => {
        if (listener === act) listener = null;
      };
    },
    close: closeReader,
  };
}

function createReader(
  { input, output, isTerminal, history, complete }: EditorOptions,
  isHidden: () => boolean,
): Interface {
  return createInterface({
    input,
    output: isTerminal ? hideable(output, isHidden) : undefined,
    terminal: isTerminal,
    history: isTerminal ? [...history] : undefined,
    historySize: 1000,
    removeHistoryDuplicates: true,
    completer: (line: string, done: (error: null, offered: [string[], string]) => void) =>
      void complete(line).then((offered) => done(null, offered)),
    tabSize: 4,
  });
}

/** The stream, which is silent while something is typed that must not be seen. */
function hideable(output: NodeJS.WriteStream, isHidden: () => boolean): NodeJS.WriteStream {
  const write: NodeJS.WriteStream["write"] = (...parts: unknown[]) =>
    isHidden() || Reflect.apply(output.write, output, parts) === true;
  return new Proxy(output, {
    get(target, name) {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Takes away what was typed, as Ctrl-U and Ctrl-K do. */
function clearLine(reader: Interface): void {
  reader.write(null, { ctrl: true, name: "e" });
  reader.write(null, { ctrl: true, name: "u" });
}
