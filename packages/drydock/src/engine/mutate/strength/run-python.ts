import type { TreeRunner } from "../../ports.ts";
import { requireFinding } from "../../require-finding.ts";
import type { JudgedTree } from "../../verify/judged-tree.ts";
import type { RunPython } from "../edit.ts";

const SECONDS = 120;

/** Runs Python programs in sandboxes on the tree. They read what is sent to them, and no file of the tree. */
export function createRunPython(runner: TreeRunner, tree: JudgedTree, signal?: AbortSignal): RunPython {
  return async (program, input) => {
    const command = ["python3", "-I", "-c", program];
    const { layer, drafts } = tree;
    const run = { layer, drafts, command, stdin: input, timeoutSeconds: SECONDS, discard: true, trusted: true, signal };
    const result = await runner.run(run);
    requireFinding(result);
    return result.stdout;
  };
}
