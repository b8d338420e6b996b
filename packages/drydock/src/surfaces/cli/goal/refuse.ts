import { DrydockError } from "@drydock/protocol";

/** Wrong usage, reported before anything is done. */
export function refuse(isWrong: boolean, message: string, hint: string): void {
  if (isWrong) throw new DrydockError("input.invalid", message, hint);
}
