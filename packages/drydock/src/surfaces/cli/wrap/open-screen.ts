import { write, writeSync } from "node:fs";
import type { ReadStream } from "node:tty";
import { createScreenFilter } from "./screen/screen-filter.ts";

export interface ScreenSize {
  columns: number;
  rows: number;
}

/** The person's terminal while a program has it. */
export interface Screen {
  readonly size: ScreenSize;
  /** The terminal is closed, or this process was told to end. */
  readonly isGone: boolean;
  show(bytes: Buffer): Promise<void>;
  /** What is typed, until the screen is closed or the terminal is gone. */
  keys(): AsyncGenerator<Buffer>;
  /** A line of Drydock's own, at the bottom. Null erases it. */
  say(text: string | null): void;
  onResize(listener: (size: ScreenSize) => void): void;
  /** Called once, when the terminal is closed or this process is told to end. */
  onGone(listener: () => void): void;
  /** Makes the terminal as it was before. Safe to call twice. */
  close(): Promise<void>;
}

interface Terminals {
  input: ReadStream;
  output: NodeJS.WriteStream & { fd: number };
}

const ENDING_SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;
/** An answer of the terminal that is on its way when the program ends would be typed into the person's shell. */
const ANSWER_MS = 1000;
const DRAIN_MS = 60;

export function openScreen({ input, output }: Terminals): Screen {
  const filter = createScreenFilter();
  const goneListeners: (() => void)[] = [];
  const typed: Buffer[] = [];
  let wake = () => {};
  let isGone = false;
  let isClosed = false;
  let last: Promise<void> = Promise.resolve();

  const size = (): ScreenSize => ({ columns: output.columns || 80, rows: output.rows || 24 });
  const gone = () => {
    if (isGone) return;
    isGone = true;
    wake();
    for (const listener of goneListeners) listener();
  };
  const take = (bytes: Buffer) => {
    typed.push(bytes);
    wake();
  };
  // A process that was stopped and goes on finds the terminal as its shell left it.
  const resume = () => {
    if (!isClosed) input.setRawMode(true);
  };

  /** However this process ends: a terminal that is left in raw mode is of no use to anybody. */
  const restore = () => {
    if (isClosed) return;
    isClosed = true;
    try {
      input.setRawMode(false);
      writeSync(output.fd, filter.undo());
    } catch {
      // The terminal is gone: there is nothing to restore.
    }
  };

  input.setRawMode(true);
  input.on("data", take);
  input.once("end", gone);
  input.once("error", gone);
  output.on("error", gone);
  for (const name of ENDING_SIGNALS) process.on(name, gone);
  process.on("SIGCONT", resume);
  process.once("exit", restore);
  input.resume();

  /** Not by the stream, which would block this process for as long as the terminal takes. */
  const put = (bytes: Buffer): Promise<void> =>
    new Promise((resolve) => {
      const next = (at: number) => {
        if (at >= bytes.length) return resolve();
        write(output.fd, bytes, at, bytes.length - at, null, (error, written) => {
          if (!error) return next(at + written);
          if (error.code === "EAGAIN") return void setTimeout(() => next(at), 5);
          gone();
          resolve();
        });
      };
      next(0);
    });
  const inOrder = (bytes: Buffer): Promise<void> => {
    last = last.then(() => put(bytes));
    return last;
  };

  return {
    get size() {
      return size();
    },
    get isGone() {
      return isGone;
    },
    show: (bytes) => inOrder(filter.write(bytes)),
    async *keys() {
      while (!isGone && !isClosed) {
        const bytes = typed.shift();
        if (bytes) yield bytes;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
    say(text) {
      if (isClosed) return;
      const { columns, rows } = size();
      const line = text === null ? "" : `\u001b[7m${` ${text} `.slice(0, columns - 1)}`;
      void inOrder(Buffer.from(`\u001b7\u001b[${rows};1H\u001b[0m${line}\u001b[0m\u001b[K\u001b8`));
    },
    onResize: (listener) => void output.on("resize", () => listener(size())),
    onGone(listener) {
      if (isGone) listener();
      else goneListeners.push(listener);
    },
    async close() {
      if (isClosed) return;
      await last;
      if (performance.now() - filter.askedAt < ANSWER_MS) await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
      restore();
      for (const name of ENDING_SIGNALS) process.off(name, gone);
      process.off("SIGCONT", resume);
      process.off("exit", restore);
      output.removeAllListeners("resize");
      input.off("data", take);
      input.off("end", gone);
      input.off("error", gone);
      input.pause();
      wake();
    },
  };
}
