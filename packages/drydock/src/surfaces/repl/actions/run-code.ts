import { EXIT_STATUS, type ExecResult } from "@drydock/protocol";
import type { OutputChunk } from "../../../app/index.ts";
import { renderOutcome } from "../../terminal/render/render-result.ts";
import { REPL_PRESET } from "../live-session.ts";
import { type ReplContext, requestedPolicy } from "../repl-context.ts";

/** One step of the session; gives the exit status. */
export async function runCode(repl: ReplContext, code: string, signal: AbortSignal): Promise<number> {
  const { screen, session } = repl;
  let hasOutput = false;
  const onOutput = (chunk: OutputChunk) => {
    hasOutput = true;
    screen.output(chunk);
  };
  const result = await session.exec(code, { signal, onOutput, onInput: repl.answer });
  await debugExecution(repl, result.runId);
  showExecution(repl, result, hasOutput);
  return result.error ? EXIT_STATUS[result.error.code] : 0;
}

/** The value, where nothing was printed, and whatever else is worth knowing. */
function showExecution({ screen }: ReplContext, result: ExecResult, hasOutput: boolean): void {
  if (result.ok && !hasOutput && result.result !== null && result.result !== undefined) screen.value(result.result);
  screen.endStream();
  screen.terminal.err(renderOutcome({ ...result, changes: [] }, screen.terminal.errColors));
}

async function debugExecution(repl: ReplContext, runId: string): Promise<void> {
  if (!repl.isDebugging) return;
  await repl.debug.showPolicy({ workspace: repl.workspace, policy: requestedPolicy(repl), preset: REPL_PRESET });
  await repl.debug.showRun(runId);
}
