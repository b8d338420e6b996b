import { DrydockError } from "./drydock-error.ts";

/** The error of a write that failed because the disk is full; null if it failed for another reason. */
export function explainFullDisk(error: unknown, what: string): DrydockError | null {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code !== "ENOSPC" && code !== "EDQUOT") return null;
  return new DrydockError(
    "limit.disk",
    `${what} can't be written: the disk is full. Nothing was changed.`,
    "Free some space on the disk that holds Drydock's home, and try again: `drydock du` shows what takes it. Or set DRYDOCK_HOME to a directory on another disk.",
    {},
    error,
  );
}
