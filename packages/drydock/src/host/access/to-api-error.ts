import { DrydockError } from "@drydock/protocol";
import { ApiError } from "@drydock/protocol/runner";

/** What a caller is told of a call that failed in the host: which call it was, and why. */
export function toApiError(method: string, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const details = error instanceof DrydockError ? { code: error.code, hint: error.hint } : {};
  return new ApiError("runtime_error", `${method} failed in the host: ${reason}`, { details });
}
