import { DrydockError } from "@drydock/protocol";

/** Why a document can't be read, in words about its content. */
export function documentError(reason: string, hint: string): DrydockError {
  return new DrydockError("input.invalid", reason, hint);
}
