import type { Divergence, EventType, RunEvent } from "@drydock/protocol";
import { describeMissingStep, NOT_RECORDED } from "./describe-missing-step.ts";

/** What has to come out the same, by the kind of step. */
const COMPARED: Partial<Record<EventType, (data: Record<string, unknown>) => Record<string, unknown>>> = {
  "plan.accepted": ({ plan }) => ({ plan }),
  "attempt.started": ({ baseHash }) => ({ baseHash }),
  "tool.finished": ({ name, failed }) => ({ [`result of ${name}`]: failed ? "failed" : "ok" }),
  "attempt.finished": ({ treeHash, failure }) => ({ treeHash, failure: codeOf(failure) }),
  "check.finished": ({ type, verdict }) => ({ [`verdict of ${type}`]: verdict }),
  "task.verified": ({ verdict, treeHash }) => ({ verdict, treeHash }),
  "task.done": () => ({ status: "done" }),
  "task.failed": ({ code }) => ({ status: `failed (${code})` }),
  "tree.verified": ({ verdict, treeHash }) => ({ verdict, treeHash }),
  "run.succeeded": ({ verdict, treeHash }) => ({ verdict, treeHash }),
  "run.failed": ({ verdict, treeHash }) => ({ verdict, treeHash }),
};

/** Every step in which the two tell different things, in the order in which the record has them. */
export function compareRuns(recorded: readonly RunEvent[], replayed: readonly RunEvent[]): Divergence[] {
  const [was, is] = [collect(recorded), collect(replayed)];
  const missing = describeMissingStep(recorded, replayed);
  const found: Divergence[] = [];
  for (const [name, { step, facts }] of was) {
    const other = is.get(name);
    if (!other) {
      found.push({ step, what: "the step", recorded: name, replayed: missing });
      continue;
    }
    for (const [what, value] of Object.entries(facts)) {
      if (!isSame(value, other.facts[what])) {
        found.push({ step, what, recorded: value, replayed: other.facts[what] ?? null });
      }
    }
  }
  for (const [name, { step }] of is) {
    if (!was.has(name)) found.push({ step, what: "the step", recorded: NOT_RECORDED, replayed: name });
  }
  return found;
}

/** A step may be on record twice, where a run was stopped between: the last one counts. */
function collect(events: readonly RunEvent[]): Map<string, { step: string; facts: Record<string, unknown> }> {
  const steps = new Map<string, { step: string; facts: Record<string, unknown> }>();
  for (const { type, data } of events) {
    const facts = COMPARED[type]?.(data);
    const step = typeof data.key === "string" ? data.key : "end";
    if (facts) steps.set(`${type.startsWith("run.") ? "end" : type} ${step}`, { step, facts });
  }
  return steps;
}

function codeOf(failure: unknown): unknown {
  return typeof failure === "object" && failure !== null && "code" in failure ? failure.code : null;
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
