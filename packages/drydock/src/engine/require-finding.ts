import { DrydockError, hasFact } from "@drydock/protocol";
import type { TreeRunResult } from "./ports.ts";

/** Throws where the execution says nothing about what was executed. */
export function requireFinding({ error }: Pick<TreeRunResult, "error">): void {
  if (!error || !hasFact(error.code, "not-code")) return;
  const { code, message, hint, ...data } = error;
  throw new DrydockError(code, message, hint, data);
}
