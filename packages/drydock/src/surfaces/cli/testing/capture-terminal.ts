import { PassThrough } from "node:stream";
import { createTerminal, type Terminal } from "../../terminal/terminal.ts";

export interface Capture {
  terminal: Terminal;
  stdout(): string;
  stderr(): string;
}

/** A terminal that keeps what is written; as nobody looks at it, without colours. */
export function captureTerminal(): Capture {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const kept = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    streams[name].setEncoding("utf8").on("data", (text: string) => {
      kept[name] += text;
    });
  }
  return {
    terminal: createTerminal(streams.stdout, streams.stderr),
    stdout: () => kept.stdout,
    stderr: () => kept.stderr,
  };
}
