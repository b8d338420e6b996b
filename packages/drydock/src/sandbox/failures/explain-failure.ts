import type { ErrorInfo } from "@drydock/protocol";
import type { Ending } from "./ending.ts";
import { explainException } from "./explain-exception.ts";
import { explainExit } from "./explain-exit.ts";
import { explainLimit } from "./explain-limit.ts";
import { explainSignal } from "./explain-signal.ts";
import type { FailureContext } from "./failure-context.ts";
import { explainRefusal } from "./refusals/explain-refusal.ts";

/**
 * Turns how a run ended into a coded error with a hint, or null where nothing is wrong. The exit status decides whether
 * it failed; what the interpreter inside reports only says why.
 */
export function explainFailure(ending: Ending, context: FailureContext): ErrorInfo | null {
  switch (ending.kind) {
    case "exited": {
      const { exitCode, report } = ending;
      if (exitCode === 0) return null;
      if (report?.guard) return explainRefusal(report.guard, context);
      if (report?.outcome === "exception" && report.exception) return explainException(report.exception, context);
      return explainExit(exitCode, context);
    }
    case "signalled":
      return explainSignal(ending.signal, context);
    case "limit":
      return explainLimit(ending.limit, context, ending.value);
    case "cancelled":
      return { code: "run.cancelled", message: "The run was cancelled.", hint: "Start it again when you want it." };
    case "lost":
      return {
        code: "internal",
        message: `The sandbox ended before the run reported a result: ${ending.reason}.`,
        hint: "Run it again. If it happens twice, `drydock doctor` shows what is wrong with the sandbox.",
        reason: ending.reason,
      };
    default:
      throw new Error(`No such ending: ${JSON.stringify(ending satisfies never)}`);
  }
}
