import { DrydockError } from "@drydock/protocol";
import { ApiError, type ApiErrorInfo } from "@drydock/protocol/runner";

/** What a caller is told of a call that failed in the host: which call it was, and why. */
export function toApiError(method: string, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const details = error instanceof DrydockError ? describe(error) : {};
  return new ApiError("runtime_error", `${method} failed in the host: ${reason}`, { details });
}

/** `attempts`, where a model was asked: with none, nothing was sent, and asking again changes nothing. */
function describe({ code, hint, data }: DrydockError): ApiErrorInfo["details"] {
  return { code, hint, ...("attempts" in data && { attempts: data.attempts }) };
}
