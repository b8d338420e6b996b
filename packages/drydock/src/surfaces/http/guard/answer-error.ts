import { DrydockError, HTTP_STATUS } from "@drydock/protocol";
import { HttpProblem } from "./http-problem.ts";

/** Whatever was thrown, in the one shape that errors have. */
export function answerError(error: unknown): Response {
  const known = toDrydockError(error);
  const status = known instanceof HttpProblem ? known.status : HTTP_STATUS[known.code];
  const headers = { "content-type": "application/json", ...(known instanceof HttpProblem ? known.headers : {}) };
  return new Response(JSON.stringify({ error: known.toInfo() }), { status, headers });
}

export function toDrydockError(error: unknown): DrydockError {
  if (error instanceof DrydockError) return error;
  const message = error instanceof Error ? error.message : String(error);
  process.emitWarning(error instanceof Error ? (error.stack ?? message) : message, "DrydockWarning");
  const hint = "This is a fault in Drydock itself; the server's own output says more.";
  return new DrydockError("internal", `Something went wrong inside Drydock: ${message}`, hint, {}, error);
}
