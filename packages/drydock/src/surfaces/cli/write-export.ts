import { open } from "node:fs/promises";
import type { Terminal } from "../terminal/terminal.ts";
import { writeFailedError } from "../terminal/write-out.ts";

/** Writes lines as they come, to a file that only its owner reads or to stdout; gives how many there were. */
export async function writeExport(
  lines: AsyncIterable<string>,
  path: string | undefined,
  terminal: Pick<Terminal, "out" | "flush" | "closed">,
): Promise<number> {
  if (path !== undefined) return writeFile(lines, path);
  let count = 0;
  for await (const line of lines) {
    if (terminal.closed.aborted) break;
    terminal.out(line);
    await terminal.flush();
    count += 1;
  }
  return count;
}

async function writeFile(lines: AsyncIterable<string>, path: string): Promise<number> {
  let count = 0;
  await using file = await open(path, "w", 0o600).catch((cause: unknown) => {
    throw writeFailedError(path, cause);
  });
  for await (const line of lines) {
    await file.write(line);
    count += 1;
  }
  return count;
}
