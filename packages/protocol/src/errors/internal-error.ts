import { DrydockError } from "./drydock-error.ts";

/** The hint of every error that is a defect in Drydock. */
export const INTERNAL_HINT =
  "This is a defect in Drydock. Run `drydock doctor`; if it finds nothing, please report this as a bug.";

/** An exception that nobody expected, as an error that users understand. */
export function internalError(error: unknown, hint = INTERNAL_HINT): DrydockError {
  const message = error instanceof Error ? error.message : String(error);
  return new DrydockError("internal", `Something went wrong inside Drydock: ${message}`, hint, {}, error);
}
