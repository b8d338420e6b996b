import { EXIT_STATUS } from "@drydock/protocol";
import { renderOutcome } from "../../terminal/render/render-result.ts";
import { showProgress } from "../../terminal/show-progress.ts";
import { type ReplContext, unsafePolicy } from "../repl-context.ts";

/** Words become Python code that is run in the session; gives the exit status. */
export async function runTask(repl: ReplContext, words: string, signal: AbortSignal): Promise<number> {
  const { dock, screen, session, model } = repl;
  // A task is Python: with another language it has a session of its own.
  const isShared = session.language === "python";
  const progress = showProgress(repl, { showsWords: false });
  let hasOutput = false;
  const result = await dock.executePythonTask(words, {
    session: isShared ? await session.open() : undefined,
    workspace: isShared ? undefined : repl.workspace,
    // Unlike typed code, this code was not seen by the user yet.
    policy: unsafePolicy(repl) ?? { python: { guard: "strict" } },
    model,
    signal,
    onProgress(event) {
      hasOutput = event.kind === "output" || (hasOutput && event.kind !== "code");
      progress(event);
    },
    onEvent: (event) => {
      if (repl.isDebugging) repl.debug.take(event);
    },
  });
  await repl.debug.settled();
  screen.endStream();
  if (isShared) session.learn(result.variables);
  if (result.ok && !hasOutput && result.result !== null && result.result !== undefined) screen.value(result.result);
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
