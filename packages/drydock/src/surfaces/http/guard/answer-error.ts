import { DrydockError, HTTP_STATUS, INTERNAL_HINT, internalError } from "@drydock/protocol";
import { HttpProblem } from "./http-problem.ts";

/** Whatever was thrown, in the one shape that errors have. */
export function answerError(error: unknown): Response {
  warnOfFault(error);
  const known = toDrydockError(error);
  const status = known instanceof HttpProblem ? known.status : HTTP_STATUS[known.code];
  const headers = { "content-type": "application/json", ...(known instanceof HttpProblem ? known.headers : {}) };
  return new Response(JSON.stringify({ error: known.toInfo() }), { status, headers });
}

export function toDrydockError(error: unknown): DrydockError {
  if (error instanceof DrydockError) return error;
  return internalError(error, `${INTERNAL_HINT} The server's own output has the stack trace.`);
}

/** Writes a defect to the server's own output; other errors are for the client alone. */
export function warnOfFault(error: unknown): void {
  if (error instanceof DrydockError) return;
  process.emitWarning(error instanceof Error ? (error.stack ?? error.message) : String(error), "DrydockWarning");
}
