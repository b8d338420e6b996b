import { type CheckEntry, EffectivePolicy, type ReviewComment, type Run } from "@drydock/protocol";
import type { client } from "../../../data/client.ts";

type GoalRequest = Extract<Parameters<typeof client.runs.create>[0], { kind: "goal" }>;

/**
 * A run that goes on from this one with what a person asks for. The demands of the first one hold for it as well: a new run
 * would otherwise be judged by less, and might touch more.
 */
export function requestRework(
  run: Pick<Run, "id" | "workspace">,
  created: Readonly<Record<string, unknown>>,
  { comments, goal }: { comments: readonly ReviewComment[]; goal: string },
): GoalRequest {
  const request = Object(created.request) as Record<string, unknown>;
  const checks = listUserChecks(request.checks);
  const { data: policy } = EffectivePolicy.safeParse(created.policy);
  const mayChange = Array.isArray(request.mayChange) ? request.mayChange.map(String) : [];
  return {
    kind: "goal",
    workspace: run.workspace ?? "",
    follow: run.id,
    apply: "never",
    ...(goal.trim() !== "" && { goal: goal.trim() }),
    ...(comments.length > 0 && { comments: [...comments] }),
    ...(checks.length > 0 && { checks }),
    ...(mayChange.length > 0 && { mayChange }),
    ...(typeof request.minStrength === "number" && { minStrength: request.minStrength }),
    ...(request.way === "writes" && { way: request.way }),
    ...(policy && {
      policy: {
        files: { write: policy.files.write },
        network: { allow: policy.network.allow },
        limits: { wallSeconds: policy.limits.wallSeconds, memoryMb: policy.limits.memoryMb },
      },
    }),
  };
}

/** The checks that the person gave; those of the owner and of the directory hold anyway. */
function listUserChecks(checks: unknown): CheckEntry[] {
  if (!Array.isArray(checks)) return [];
  return checks.flatMap((each) => {
    const { source, check } = Object(each) as { source?: unknown; check?: CheckEntry };
    return source === "user" && check !== undefined ? [check] : [];
  });
}
