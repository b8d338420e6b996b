import { setTimeout as sleep } from "node:timers/promises";

/** What became of a call of a platform's API that failed, as far as it decides what to do next. */
export type CallFault =
  /** Too many calls: the platform says how long to wait. */
  | { kind: "limited"; waitMs: number; text: string }
  /** It does not answer, or answers with an error of its own. */
  | { kind: "down"; text: string }
  /** The credentials are wrong. Another try changes nothing. */
  | { kind: "denied"; text: string }
  /** It does not do what was asked for. Another try changes nothing. */
  | { kind: "refused"; text: string };

/** A call that failed for good. The message is written by us: it has neither address nor token. */
export class CallError extends Error {
  readonly fault: CallFault;
  constructor(fault: CallFault) {
    super(fault.text);
    this.name = "CallError";
    this.fault = fault;
  }
}

const CODE = /^[A-Z][A-Z0-9_]{2,40}$/;
const MOST_CAUSES = 5;

/**
 * A platform that did not answer, with the system's code for it, such as `ECONNREFUSED`. The error's own words are left out:
 * they may quote the address, and some have the token in it.
 */
export function noAnswer(service: string, error: unknown): CallFault {
  let cause: unknown = error;
  for (let depth = 0; depth < MOST_CAUSES && cause; depth++) {
    const { code, cause: next, error: wrapped, original } = Object(cause);
    if (typeof code === "string" && CODE.test(code))
      return { kind: "down", text: `${service} does not answer (${code}).` };
    cause = next ?? wrapped ?? original;
  }
  return { kind: "down", text: `${service} does not answer.` };
}

const FIRST_MS = 500;
const LONGEST_MS = 60_000;

/** How long to wait before the next try: twice as long each time, up to a minute. */
export function backOffMs(attempt: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
}

/** Resolves after the time, or rejects with the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal });
}

export interface Patience {
  readFault(error: unknown): CallFault;
  signal: AbortSignal;
  /** How long a call is tried again while the platform is down or has too many calls. */
  patienceMs: number;
}

/** Calls until it works: it waits as long as the platform asks for, and longer each time while the platform is down. */
export async function callPatiently<T>(
  call: () => Promise<T>,
  { readFault, signal, patienceMs }: Patience,
): Promise<T> {
  const endMs = performance.now() + patienceMs;
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      const fault = readFault(error);
      if (fault.kind === "denied" || fault.kind === "refused") throw new CallError(fault);
      const waitMs = fault.kind === "limited" ? fault.waitMs : backOffMs(attempt);
      if (performance.now() + waitMs > endMs) throw new CallError(fault);
      await pause(waitMs, signal);
    }
  }
}
