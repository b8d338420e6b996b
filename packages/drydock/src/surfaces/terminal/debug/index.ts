import type { Dock, ShowPolicyOptions } from "../../../app/index.ts";
import type { Terminal } from "../terminal.ts";
import { createDebug, type Debug } from "./create-debug.ts";

export type { Debug } from "./create-debug.ts";
export { watchRuns } from "./watch-runs.ts";

export function openDebug({ err, errColors }: Pick<Terminal, "err" | "errColors">, dock: Dock): Debug {
  return createDebug({ dock, write: err, colors: errColors });
}

/** What is on record of one run, once it has ended, and where its policy comes from. */
export async function debugRun(
  terminal: Pick<Terminal, "err" | "errColors">,
  dock: Dock,
  runId: string,
  question: ShowPolicyOptions,
): Promise<void> {
  const debug = openDebug(terminal, dock);
  await debug.showPolicy(question);
  await debug.showRun(runId);
}
