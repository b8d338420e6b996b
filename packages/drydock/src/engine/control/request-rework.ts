import type { AttemptFinished, PlanTask, ReworkRequest, Verification } from "@drydock/protocol";

const MAX_TRIED_CHARS = 12_000;

/** What failed, why, on what evidence, and what was tried: all that the next attempt needs to do better. */
export function requestRework(from: {
  task: PlanTask;
  attempt: number;
  /** How many more there are in its row. */
  attemptsLeft: number;
  failure: AttemptFinished["failure"];
  verification: Verification | null;
  diff: string;
}): ReworkRequest {
  const { task, attempt, attemptsLeft, failure, verification, diff } = from;
  const checks = verification?.checks.filter((check) => check.verdict !== "passed") ?? [];
  return {
    task: task.id,
    attempt,
    attemptsLeft,
    failed: [
      ...(failure ? [{ type: "attempt", code: failure.code, reason: failure.reason, evidence: {} }] : []),
      ...(verification?.verdict === "unproven" ? [describeUnproven(verification)] : []),
      ...checks.map(({ type, name, reason, code, evidence }) => ({
        type,
        ...(name && { name }),
        reason,
        code,
        evidence,
      })),
    ],
    tried: describeTried(diff),
  };
}

/** Nothing failed, and nothing is proved either. */
function describeUnproven({ reason = "", doubt = reason }: Verification): ReworkRequest["failed"][number] {
  const advice = "Do what the task asks for in the source, and add tests that fail without your change.";
  return { type: "proof", code: "unproven", reason: `${doubt} ${advice}`, evidence: {} };
}

function describeTried(diff: string): string {
  if (diff === "") return "Nothing was changed.";
  return diff.length > MAX_TRIED_CHARS ? `${diff.slice(0, MAX_TRIED_CHARS)}\n… cut` : diff;
}
