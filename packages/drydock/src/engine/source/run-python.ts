import { DrydockError, INTERNAL_HINT } from "@drydock/protocol";
import type { TreeRun, TreeRunner, TreeRunResult } from "../ports.ts";
import { requireFinding } from "../require-finding.ts";
import type { JudgedTree } from "../verify/judged-tree.ts";

/**
 * Runs the text of a Python program of ours (`python3 -I`) in the sandbox with `input` on standard input; resolves with
 * its standard output, and rejects where the program did not exit with status 0.
 */
export type RunPython = (program: string, input: string) => Promise<string>;

type PythonRun = Pick<TreeRun, "stdin" | "trusted" | "timeoutSeconds"> & { command: string[]; network: string[] };

const SECONDS = 120;

/** Runs Python programs in sandboxes on the tree. They read what is sent to them, and no file of the tree. */
export function createRunPython(runner: TreeRunner, tree: JudgedTree, signal?: AbortSignal): RunPython {
  const { layer, drafts } = tree;
  return runPythonBy(SECONDS, async (run) => {
    const result = await runner.run({ ...run, layer, drafts, discard: true, signal });
    requireFinding(result);
    return result;
  });
}

/** The same over any way to execute; `execute` throws where the execution itself failed. */
export function runPythonBy(timeoutSeconds: number, execute: (run: PythonRun) => Promise<TreeRunResult>): RunPython {
  return async (program, input) => {
    const command = ["python3", "-I", "-S", "-c", program];
    const result = await execute({ command, trusted: true, stdin: input, timeoutSeconds, network: [] });
    const { exitCode, stdout, stderr, error } = result;
    if (exitCode === 0) return stdout;
    const isLimit = error?.code.startsWith("limit.") === true;
    const lastLine = stderr.trim().split("\n").at(-1);
    const reason = (!isLimit && lastLine) || (error?.message ?? `it ended with status ${exitCode}`);
    const hint = isLimit ? error.hint : INTERNAL_HINT;
    throw new DrydockError("internal", `Drydock's own analysis of the code failed: ${reason}`, hint);
  };
}
