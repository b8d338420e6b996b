import { DrydockError, type ErrorCode } from "@drydock/protocol";
import type { TreeRunResult } from "./ports.ts";

/** Errors that are not caused by the code that ran. They say nothing about it. */
const NO_FINDING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "delivery.conflict",
  "sandbox.unavailable",
  "sandbox.level",
  "ledger.unavailable",
  "limit.concurrency",
  "run.cancelled",
  "input.invalid",
  "internal",
]);

/** Throws where the execution says nothing about what was executed. */
export function requireFinding({ error }: Pick<TreeRunResult, "error">): void {
  if (!error || !NO_FINDING.has(error.code)) return;
  const { code, message, hint, ...data } = error;
  throw new DrydockError(code, message, hint, data);
}
