import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Dock } from "../../app/index.ts";
import { createKernel } from "./kernel.ts";
import { type KernelMessage, Request } from "./messages.ts";
import { createNotebookSession } from "./notebook-session.ts";

export interface ServeKernelOptions {
  workspace?: string;
  version: string;
  input: Readable;
  write(line: string): void;
  /** Hands over what to call when the running cell is to be interrupted by a signal. */
  onInterrupt(interrupt: () => void): void;
}

/** A notebook has more cells than a task has steps, and waits longer for its next one: as many as the owner's ceiling lets it. */
const PRESET = { sessions: { tasks: 500, idleSeconds: 36_000 } };

/** Speaks with `wire.py`, one message per line, until a shutdown request or the end of the input. */
export async function serveKernel(dock: Dock, options: ServeKernelOptions): Promise<void> {
  const { workspace, version, input, write } = options;
  const session = createNotebookSession(() => dock.sessions.open({ workspace, preset: PRESET }));
  const kernel = createKernel({
    session,
    version,
    readArtifact: (id) => dock.runs.readArtifact(id),
    send: (answer: KernelMessage) => write(`${JSON.stringify(answer)}\n`),
  });
  options.onInterrupt(kernel.interrupt);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const closed = new Promise<void>((resolve) => lines.once("close", resolve));
  lines.on("line", (line) => {
    const request = readRequest(line);
    if (request) kernel.receive(request);
  });
  await Promise.race([kernel.ended, closed]);
  lines.close();
  await session.close();
}

/** Undefined for a message that can't be read: there is no sender to reply to. */
function readRequest(line: string): Request | undefined {
  try {
    return Request.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
