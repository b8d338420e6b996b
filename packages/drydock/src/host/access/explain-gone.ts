import { DrydockError } from "@drydock/protocol";
import { ApiError } from "@drydock/protocol/runner";

/** A base that was removed during the run. */
export function explainGone(error: unknown): never {
  if (error instanceof DrydockError && error.code === "knowledge.not_found")
    throw new ApiError("not_found", "The knowledge base was removed.");
  throw error;
}
