import { filterText } from "./filter-output.ts";

export interface YesNoQuestion {
  text: string;
  signal: AbortSignal;
}

/** Whether somebody sits at both ends. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Only `y` and `yes` are a yes. */
export async function askYesNo({ text, signal }: YesNoQuestion): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test((await askLine({ text: `${text} [y/N]`, signal })) ?? "");
}

/** One line, null where Ctrl-C was pressed. The question goes to stderr, so that what a program reads stays clean. */
export async function askLine({ text, signal }: YesNoQuestion): Promise<string | null> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // With a terminal in this mode, Ctrl-C comes as a key, and not as a signal.
  const interrupted = new AbortController();
  lines.on("SIGINT", () => {
    interrupted.abort();
    process.kill(process.pid, "SIGINT");
  });
  try {
    return await lines.question(`${filterText(text)} `, { signal: AbortSignal.any([signal, interrupted.signal]) });
  } catch (error) {
    if (signal.aborted || interrupted.signal.aborted) process.stderr.write("\n");
    if (interrupted.signal.aborted) return null;
    throw error;
  } finally {
    lines.close();
  }
}
