import { ApiError } from "@drydock/protocol/runner";
import { failed } from "./results.ts";
import type { RunnerResult } from "./runner.ts";

/** Ends a run with `run.failed` and a code of the runner's own: `throw new RunnerError("shop.http_error", "…")`. */
export class RunnerError extends Error {
  readonly code: string;
  readonly retryable: boolean;

  constructor(code: string, message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "RunnerError";
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** What calls of the host API are rejected with, and what `ctx.signal` has as its reason, when the run is cancelled. */
export class RunCancelled extends RunnerError {
  constructor(reason: string) {
    super("runner.cancelled", `The run was cancelled: ${reason}`);
    this.name = "RunCancelled";
  }
}

/** The result that stands for an exception. */
export function toFailure(error: unknown): RunnerResult {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof RunnerError) return failed(error.code, text, { retryable: error.retryable });
  return failed("runner.error", text, { retryable: error instanceof ApiError && error.retryable });
}
