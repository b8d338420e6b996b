import { DrydockError } from "@drydock/protocol";
import { waitForFileLock } from "../../base/locks/index.ts";

const PATIENCE_MS = 30_000;

/** One process at a time changes the extensions of a home. */
export function waitForLock(path: string): Promise<Disposable> {
  const refuse = () =>
    new DrydockError(
      "extension.conflict",
      "Another process has been changing the extensions of this home for too long.",
      "Try again when it has ended. Nothing was changed.",
    );
  return waitForFileLock(path, { patienceMs: PATIENCE_MS, refuse });
}
