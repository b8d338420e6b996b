import { fstatSync } from "node:fs";
import type { Writable } from "node:stream";
import pico from "picocolors";
import { filterText } from "./filter-output.ts";

export type Colors = ReturnType<typeof pico.createColors>;

export interface Terminal {
  /** On a terminal only colours pass of what it obeys; elsewhere the text is written as it is. */
  out(text: string): void;
  err(text: string): void;
  /** The same without that filter: for Drydock's own cursor sequences, never for text of others. */
  control: { out(text: string): void; err(text: string): void };
  /** What each stream may be painted with; without a terminal, or with NO_COLOR, the functions do nothing. */
  outColors: Colors;
  errColors: Colors;
  /** Width of the terminal; undefined without one. */
  columns: number | undefined;
  isOutputTerminal: boolean;
  isErrorTerminal: boolean;
  /** Whether both streams end up in one text: on a terminal, or in one pipe or file (`2>&1`). */
  isOneText: boolean;
  /** How wide stderr is at this moment; undefined without a terminal. */
  errorColumns(): number | undefined;
  /** What stdout shows at this moment; undefined without a terminal. */
  size(): { columns: number; rows: number } | undefined;
  /** Aborted when the reader of stdout is gone (`| head -1`); from then on nothing is written. */
  closed: AbortSignal;
  /** Why stdout could not be written, where that was not for want of a reader: a full disk, say. */
  fault(): Error | undefined;
  flush(): Promise<void>;
  /** Opens standard input; undefined where there is none to read. */
  input?: () => NodeJS.ReadStream;
}

type OutputStream = Writable & {
  fd?: number;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  hasColors?: () => boolean;
};

export function createTerminal(stdout: OutputStream, stderr: OutputStream, input?: () => NodeJS.ReadStream): Terminal {
  const closed = new AbortController();
  let fault: Error | undefined;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") fault ??= error;
    closed.abort();
  });
  // Errors of a closed stderr are ignored.
  stderr.on("error", () => {});
  const write = (stream: OutputStream, text: string) => {
    if (text !== "" && !closed.signal.aborted && !stream.destroyed) stream.write(text);
  };
  const drain = (stream: OutputStream) =>
    new Promise<void>((resolve) => {
      // A write that failed at once is reported a moment later.
      if (stream.destroyed || stream.writableLength === 0) setImmediate(resolve);
      else stream.write("", () => resolve());
    });
  return {
    out: (text) => write(stdout, stdout.isTTY ? filterText(text) : text),
    err: (text) => write(stderr, stderr.isTTY ? filterText(text) : text),
    control: { out: (text) => write(stdout, text), err: (text) => write(stderr, text) },
    outColors: pico.createColors(showsColors(stdout)),
    errColors: pico.createColors(showsColors(stderr)),
    columns: stdout.isTTY ? stdout.columns : undefined,
    isOutputTerminal: stdout.isTTY === true,
    isErrorTerminal: stderr.isTTY === true,
    isOneText: leadsToSame(stdout, stderr),
    errorColumns: () => (stderr.isTTY ? stderr.columns : undefined),
    size: () => (stdout.isTTY ? { columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 } : undefined),
    closed: closed.signal,
    fault: () => fault,
    input,
    async flush() {
      await Promise.all([drain(stdout), drain(stderr)]);
    },
  };
}

/** Node's own answer knows NO_COLOR and terminals that can't show colours, for each stream by itself. */
function showsColors(stream: OutputStream): boolean {
  return stream.isTTY === true && stream.hasColors?.() === true;
}

function leadsToSame({ fd: one }: OutputStream, { fd: other }: OutputStream): boolean {
  if (one === undefined || other === undefined) return false;
  try {
    const [first, second] = [fstatSync(one), fstatSync(other)];
    return first.dev === second.dev && first.ino === second.ino;
  } catch {
    // A stream that is closed leads nowhere.
    return false;
  }
}
