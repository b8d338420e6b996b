import { type CheckResult, Verification } from "@drydock/protocol";
import type { EngineContext } from "../engine-context.ts";
import type { TriedAttempt } from "./try-attempt.ts";

/**
 * Of attempts that all passed: the one whose tests notice the most small faults, where that was measured; then the one
 * that changes the fewest lines; then the first.
 */
export async function chooseBest<T extends TriedAttempt>(
  { documents }: Pick<EngineContext, "documents">,
  passed: readonly T[],
): Promise<T | undefined> {
  if (passed.length < 2) return passed[0];
  const measured = await Promise.all(
    passed.map(async (tried) => ({
      tried,
      strength: await readStrength(documents, tried),
      lines: tried.finished.diff === null ? 0 : countLines(await documents.read(tried.finished.diff)),
    })),
  );
  measured.sort((a, b) => b.strength - a.strength || a.lines - b.lines || a.tried.attempt - b.tried.attempt);
  return measured[0]?.tried;
}

async function readStrength(documents: EngineContext["documents"], { verified }: TriedAttempt): Promise<number> {
  if (!verified) return 0;
  const { checks } = Verification.parse(JSON.parse(await documents.read(verified.verification)));
  return Math.max(0, ...checks.map(({ strength }: CheckResult) => strength?.score ?? 0));
}

/** Lines that a diff adds or removes. What looks like the head of a file is a change where it stands in a hunk. */
function countLines(diff: string): number {
  let isHunk = false;
  let count = 0;
  for (const line of diff.split("\n")) {
    if (line.startsWith("diff --git ")) isHunk = false;
    else if (line.startsWith("@@ ")) isHunk = true;
    else if (isHunk && /^[+-]/.test(line)) count += 1;
  }
  return count;
}
