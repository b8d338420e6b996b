import type { ErrorCode } from "@drydock/protocol";

const BY_CODE: Partial<Record<ErrorCode, number>> = {
  "input.invalid": 400,
  "session.not_found": 404,
  "run.not_found": 404,
  "extension.not_found": 404,
  "approval.not_found": 404,
  "extension.disabled": 403,
  "extension.quarantined": 403,
  "delivery.conflict": 409,
  "run.cancelled": 409,
  "extension.conflict": 409,
  "limit.budget": 429,
  "limit.concurrency": 429,
  "limit.quota": 429,
  "session.limit": 429,
  "session.task_limit": 429,
  // What the caller asked for hangs on a model that can't be asked, or did not answer: the server is well.
  "model.unavailable": 424,
  "model.failed": 424,
  "extension.tool_missing": 424,
  "sandbox.unavailable": 503,
  "sandbox.level": 503,
  "ledger.unavailable": 503,
  internal: 500,
};

/** Codes are the same everywhere; only here do they become HTTP's numbers. */
export function statusOf(code: ErrorCode): number {
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  return code.startsWith("policy.") ? 403 : 422;
}
