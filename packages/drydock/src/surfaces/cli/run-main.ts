import { DrydockError } from "@drydock/protocol";
import type { EarlyStart } from "../../app/index.ts";
import { renderError } from "../terminal/render/render-error.ts";
import { createTerminal } from "../terminal/terminal.ts";
import { runCommandLine } from "./run-command-line.ts";

/** The command, from its words to the end of the process. */
export async function runMain(words: readonly string[], early: EarlyStart | null): Promise<never> {
  const terminal = createTerminal(process.stdout, process.stderr, () => process.stdin);
  let status = await runCommandLine(words, terminal, early);
  await terminal.flush();
  const fault = terminal.fault();
  if (fault) {
    const message = `Standard output can't be written: ${fault.message}`;
    const error = new DrydockError("internal", message, "Make room, or write somewhere else.");
    process.stderr.write(renderError(error.toInfo(), terminal.errColors));
    status = error.exitStatus;
  }
  // Unread input would otherwise keep the process alive.
  process.exit(status);
}
