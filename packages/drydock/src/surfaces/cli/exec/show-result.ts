import { resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { EXIT_STATUS, type ExecResult } from "@drydock/protocol";
import type { ExecOptions, OutputChunk } from "../../../app/index.ts";
import { createOutputFilter } from "../../terminal/filter-output.ts";
import { renderOutcome, renderValue } from "../../terminal/render/render-result.ts";
import { watchInterrupts } from "../../terminal/watch-interrupts.ts";
import type { CommandContext } from "../command-context.ts";
import type { RunFlags } from "../flags/run-flags.ts";
import { showReading } from "../show-reading.ts";

export interface ExecCallbacks {
  signal: AbortSignal;
  onOutput?: (chunk: OutputChunk) => void;
  onReading?: ExecOptions["onReading"];
}

/**
 * Executes something while its output is passed on as it comes. `execute` calls `show` as soon as it has the result,
 * and may clean up after that: the result is shown before the clean-up.
 */
export async function showResult(
  context: CommandContext,
  { json = false, debug = false, all = false, workspace }: RunFlags & { workspace?: string },
  execute: (watching: ExecCallbacks, show: (result: ExecResult) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { terminal } = context;
  using interrupts = watchInterrupts();
  let hasOutput = false;
  let isMidLine = false;
  const filters = {
    stdout: terminal.isOutputTerminal ? createOutputFilter() : null,
    stderr: terminal.isErrorTerminal ? createOutputFilter() : null,
  };
  const write = (stream: OutputChunk["stream"], text: string) => {
    const isShown = stream === "stderr" || terminal.isOutputTerminal || terminal.isOneText;
    if (isShown && stripVTControlCharacters(text) !== "") isMidLine = !text.endsWith("\n");
    terminal[stream === "stdout" ? "out" : "err"](text);
  };
  const onOutput = ({ stream, text }: OutputChunk) => {
    hasOutput = true;
    write(stream, filters[stream]?.write(text) ?? text);
  };
  const signal = AbortSignal.any([interrupts.signal, terminal.closed]);
  const reading = showReading(terminal);
  const endOutput = () => {
    reading.end();
    for (const stream of ["stdout", "stderr"] as const) write(stream, filters[stream]?.end() ?? "");
  };
  const endLine = () => {
    if (isMidLine) terminal.err("\n");
    isMidLine = false;
  };
  const show = async (result: ExecResult) => {
    endOutput();
    context.status = result.error ? EXIT_STATUS[result.error.code] : 0;
    if (json) return terminal.out(`${JSON.stringify(result)}\n`);
    const ignored = all ? undefined : await findIgnored(result, workspace);
    const outcome = renderOutcome(result, terminal.errColors, { debug, ignored });
    if (outcome !== "") endLine();
    if (result.ok && !hasOutput) terminal.out(renderValue(result));
    terminal.err(outcome);
  };
  const watching: ExecCallbacks = {
    signal,
    onReading: reading.update,
    onOutput: json
      ? undefined
      : (chunk) => {
          reading.end();
          onOutput(chunk);
        },
  };
  try {
    await execute(watching, show);
  } catch (error) {
    endOutput();
    // The error is printed next, on a line of its own.
    endLine();
    throw error;
  }
  endOutput();
}

async function findIgnored({ changes }: ExecResult, workspace: string | undefined): Promise<Set<string> | undefined> {
  if (changes.length === 0) return undefined;
  const { listIgnored } = await (await import("../../../app/index.ts")).loadIgnored();
  const paths = changes.map(({ path }) => path);
  return listIgnored(workspace === undefined ? undefined : resolve(workspace), paths);
}
