import { EXIT_STATUS } from "@drydock/protocol";
import { renderOutcome } from "../../terminal/render/render-result.ts";
import { watchWork } from "../../terminal/watch-work.ts";
import { policyForModel, type ReplContext } from "../repl-context.ts";

/** Words become Python code that is run in the session; gives the exit status. */
export async function runTask(repl: ReplContext, words: string, signal: AbortSignal): Promise<number> {
  const { dock, screen, session, model } = repl;
  // A task is Python: with another language it has a session of its own.
  const isShared = session.language === "python";
  const work = watchWork(repl, { showsWords: false });
  const result = await dock.executePythonTask(words, {
    session: isShared ? await session.open() : undefined,
    workspace: isShared ? undefined : repl.workspace,
    ...(isShared ? {} : repl.packages),
    policy: policyForModel(repl),
    model,
    signal,
    ...work.listeners,
  });
  await work.end();
  if (isShared) session.learn(result.variables);
  if (result.ok && !work.hasOutput() && result.result !== null && result.result !== undefined)
    screen.value(result.result);
  const shown = result.attempts.some(({ error }) => error?.message === result.error?.message);
  const outcome = { ...result, error: shown ? null : result.error, changes: [], treeHash: "" };
  screen.terminal.err(
    renderOutcome(
      {
        ...outcome,
        stdout: result.output,
        usage: { wallMs: 0, cpuMs: 0, peakMemoryBytes: 0 },
        sandbox: { backend: "namespaces", level: "none" },
      },
      screen.terminal.errColors,
    ),
  );
  return result.error ? EXIT_STATUS[result.error.code] : 0;
}
