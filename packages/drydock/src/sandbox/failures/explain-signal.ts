import type { ErrorInfo } from "@drydock/protocol";
import { explainLimit, findLimit } from "./explain-limit.ts";
import type { FailureContext } from "./failure-context.ts";

const WHAT: Record<string, [what: string, hint: string]> = {
  SIGSEGV: [
    "it touched memory that is not its own",
    "Native code failed: a C extension, ctypes, or a recursion too deep for the stack. Try smaller input or another library.",
  ],
  SIGBUS: [
    "it touched memory that is not there",
    "Native code failed, or a file that was mapped into memory got shorter. Read the file instead of mapping it.",
  ],
  SIGABRT: [
    "it gave up",
    "A library or the interpreter itself aborted; stderr says why. Running out of memory is the usual reason: try --memory.",
  ],
  SIGFPE: ["it made an impossible calculation", "Native code divided by zero: check the input before the call."],
  SIGILL: [
    "it met an instruction that this processor does not have",
    "A library was built for another processor: use another build of it.",
  ],
  SIGSYS: [
    "it made a system call that the sandbox does not permit",
    "Do it another way: mounting, tracing, raw sockets and their like are closed to code in the dock.",
  ],
  SIGKILL: [
    "it was killed",
    "It was not stopped from outside, so it either killed itself or ran out of memory: use less, or ask for more with --memory.",
  ],
  SIGTERM: [
    "it sent itself SIGTERM",
    "The code, or a process that it started, sent the signal: do not kill your own process.",
  ],
  SIGPIPE: ["it wrote to a pipe without a reader", "Read all of the output of what you pipe, or ignore SIGPIPE."],
};

/** A program that a signal ended which Drydock did not send. */
export function explainSignal(signal: string, context: FailureContext): ErrorInfo {
  const limit = findLimit("signals", [signal], context);
  if (limit !== undefined) return explainLimit(limit, context);
  const [what, hint] = WHAT[signal] ?? ["it was ended from inside", "Look at stderr for the reason."];
  return { code: "code.crash", message: `The program crashed with ${signal}: ${what}.`, hint, signal };
}
