import { Readable } from "node:stream";
import type { Dock } from "../../../app/index.ts";
import { captureTerminal } from "../../cli/testing/capture-terminal.ts";
import { checkAgent, collectAgents } from "../run-repl.ts";
import { type ReplOptions, startRepl } from "../start-repl.ts";

/** Gives text to a REPL as a pipe would, within this process. */
export async function pipeRepl(
  dock: Dock,
  text: Iterable<string> | AsyncIterable<string>,
  options: Partial<ReplOptions> = {},
) {
  const { terminal, stdout, stderr } = captureTerminal();
  const input = Readable.from(typeof text === "string" ? [text] : text);
  const status = await startRepl({
    dock,
    terminal,
    input,
    output: process.stdout,
    agents: await collectAgents(dock, undefined),
    checkAgent,
    language: "python",
    workspace: undefined,
    model: undefined,
    modelName: null,
    unsafe: false,
    policy: undefined,
    packages: undefined,
    isDebugging: false,
    redact: (kept) => kept,
    signal: new AbortController().signal,
    ...options,
  });
  await terminal.flush();
  return { status, stdout: stdout(), stderr: stderr() };
}
