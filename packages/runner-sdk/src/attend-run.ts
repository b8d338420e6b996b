import { type ResultType, RUNNER_LIMITS, TERMINAL_RESULTS } from "@drydock/protocol/runner";
import type { HostApi } from "./host-api.ts";
import { completed } from "./results.ts";
import type { Runner, RunnerContext, RunnerResult } from "./runner.ts";
import { toFailure } from "./runner-error.ts";

/*
 * open ──► ended     by run.completed or run.failed, by an exception, or by the return of the runner
 *
 * After the end nothing is sent. A runner that yields after it, or after the run was cancelled, is stopped there.
 */
export interface RunOutput {
  send(result: RunnerResult): void | Promise<void>;
  warn(text: string): void;
}

const MESSAGES: readonly ResultType[] = ["message.delta", "message.completed"];
/** Beside the result, a line has the method's name and the channel's. */
const ENVELOPE_BYTES = 300;

/** Runs a runner to its end. It does not reject: what goes wrong is a result. */
export async function attendRun(
  runner: Runner,
  ctx: RunnerContext,
  api: HostApi,
  { send, warn }: RunOutput,
): Promise<void> {
  let hasEnded = false;
  let hasMessage = false;
  try {
    for await (const result of runner.run(ctx, api)) {
      ctx.signal.throwIfAborted();
      if (hasEnded) {
        warn(
          `The runner yielded ${describe(result)} after the end of the run. It was dropped, and the runner stopped.`,
        );
        break;
      }
      checkResult(result);
      hasEnded = (TERMINAL_RESULTS as readonly string[]).includes(result.type);
      hasMessage ||= MESSAGES.includes(result.type);
      await send(result);
    }
    ctx.signal.throwIfAborted();
    if (!hasEnded && hasMessage) await send(completed());
  } catch (error) {
    if (!ctx.signal.aborted) warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
    if (!hasEnded) await send(toFailure(ctx.signal.aborted ? ctx.signal.reason : error));
  }
}

function checkResult(result: RunnerResult): void {
  if (typeof result !== "object" || result === null || typeof result.type !== "string")
    throw new TypeError("The runner yielded something that is not a result. Results have a type, and data.");
  const bytes = Buffer.byteLength(JSON.stringify(result)) + ENVELOPE_BYTES;
  if (bytes > RUNNER_LIMITS.lineBytes)
    throw new RangeError(`A result has ${bytes} bytes. A message may have ${RUNNER_LIMITS.lineBytes}.`);
}

function describe(result: unknown): string {
  const { type } = Object(result) as { type?: unknown };
  return typeof type === "string" ? type.slice(0, 100) : "something";
}
