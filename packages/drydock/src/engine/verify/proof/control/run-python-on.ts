import { DrydockError } from "@drydock/protocol";
import type { RunPython } from "../../../mutate/index.ts";
import { type JudgeContext, runOnTree } from "../../judge-context.ts";

const SPOIL_SECONDS = 30;

/** Our own programs, in the sandbox of the tree: they read what somebody else wrote. */
export function runPythonOn(context: JudgeContext): RunPython {
  return async (program, input) => {
    const run = { command: ["python3", "-I", "-c", program], stdin: input, timeoutSeconds: SPOIL_SECONDS, network: [] };
    const { exitCode, stdout, stderr, error } = await runOnTree({ ...context, pin: [] }, run);
    if (exitCode === 0) return stdout;
    throw new DrydockError(
      "internal",
      `What the tests expect could not be read: ${error?.message ?? stderr.trim().split("\n").at(-1)}`,
      "Nothing was judged. Try again, and report it if it stays.",
    );
  };
}
