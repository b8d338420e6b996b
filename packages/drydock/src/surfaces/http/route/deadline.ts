import { HttpProblem } from "../guard/http-problem.ts";

/** Work that ignores its abort signal is abandoned after this time. */
const PATIENCE_MS = 5_000;

export interface Deadline extends Disposable {
  /** Aborts with the deadline, the caller's going, or the server's. */
  signal: AbortSignal;
  /** What `work` gives, or the refusal where the deadline came first. */
  hold<T>(work: Promise<T>): Promise<T>;
}

/** How long the caller is ready to wait, within what the server allows. */
export function readDeadlineMs(headers: Headers, maxMs: number): number {
  const header = headers.get("drydock-deadline");
  if (header === null) return maxMs;
  const seconds = Number(header);
  if (header.trim() !== "" && Number.isFinite(seconds) && seconds > 0) return Math.min(maxMs, seconds * 1000);
  throw new HttpProblem(400, {
    message: `Drydock-Deadline: ${header} is not a number of seconds above 0.`,
    hint: "Send a number of seconds, such as 30.",
  });
}

export function startDeadline(ms: number, outer: readonly AbortSignal[]): Deadline {
  const late = new AbortController();
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => {});
  const refusal = (result?: unknown) =>
    new HttpProblem(504, {
      code: "limit.timeout",
      message: `The request took longer than its deadline of ${ms / 1000} s, and was cancelled.`,
      hint: "Ask for less, raise Drydock-Deadline, or start a run in the background: POST /runs.",
      data: { deadlineMs: ms, ...nameRun(result) },
    });
  let patience: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    late.abort();
    patience = setTimeout(() => over.reject(refusal()), PATIENCE_MS);
  }, ms);
  return {
    signal: AbortSignal.any([late.signal, ...outer]),
    async hold(work) {
      const settled = await Promise.race([work, over.promise]).catch((error: unknown) => {
        throw late.signal.aborted ? refusal() : error;
      });
      if (late.signal.aborted) throw refusal(settled);
      return settled;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      clearTimeout(patience);
    },
  };
}

/** What was cancelled is on record, and can be looked at. */
function nameRun(result: unknown): { runId?: string } {
  const { runId } = Object(result) as { runId?: unknown };
  return typeof runId === "string" ? { runId } : {};
}
