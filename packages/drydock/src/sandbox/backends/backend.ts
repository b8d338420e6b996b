import type { Execution } from "../execution.ts";
import type { RunRequest } from "../run-request.ts";

/** One way to contain a run. Nobody but `sandbox.ts` calls it, and every execution is judged in the same way. */
export interface Backend {
  execute(request: RunRequest): Promise<Execution>;
  close(): Promise<void>;
}
