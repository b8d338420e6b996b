import { DrydockError } from "@drydock/protocol";
import { narrowWrites } from "../../policy/index.ts";
import type { RunRequest } from "../run-request.ts";
import type { rememberRules } from "./remember-rules.ts";
import type { View, Views } from "./view.ts";

export type ViewOptions = Pick<RunRequest, "policy" | "workspace" | "scope" | "visible" | "signal" | "onReading">;

/** As much as a timer takes. */
const MOST_MS = 2 ** 31 - 1;

/** The time limit of a run includes reading its workspace. */
export async function openView(
  views: Views,
  options: ViewOptions,
  rulesOf: ReturnType<typeof rememberRules>,
): Promise<View> {
  const { workspace, policy, scope, visible, signal, onReading: onProgress } = options;
  // What is hidden stays the same function, by which it is remembered.
  const all = rulesOf(policy, visible);
  const rules = scope ? narrowWrites(all, policy, scope) : all;
  if (workspace === null) return views.open(workspace, rules);
  const limit = AbortSignal.timeout(Math.min(Math.ceil(policy.limits.wallSeconds * 1000), MOST_MS));
  try {
    const either = signal ? AbortSignal.any([signal, limit]) : limit;
    return await views.open(workspace, rules, { signal: either, onProgress });
  } catch (error) {
    if (signal?.aborted) throw cancelledBeforeStartError();
    throw limit.aborted ? readTooLong(workspace, policy.limits.wallSeconds) : error;
  }
}

function readTooLong(workspace: string, seconds: number): DrydockError {
  return new DrydockError(
    "limit.timeout",
    `Reading the workspace ${workspace} took longer than the ${seconds} s that the run may take. Nothing was run.`,
    "Give a smaller directory, or more time (--timeout). What was read so far is kept: the next run goes on from there.",
    { workspace, seconds },
  );
}

export function cancelledBeforeStartError(): DrydockError {
  return new DrydockError(
    "run.cancelled",
    "The run was cancelled before it started.",
    "Start it again when you want it.",
  );
}
