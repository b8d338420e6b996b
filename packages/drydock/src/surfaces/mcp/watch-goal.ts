import { countWord, describeProgress, PlanAccepted, RepairProgressed, type RunEvent } from "@drydock/protocol";
import type { ProgressReporter } from "./report-progress.ts";

const PROGRESS_TEXTS: Partial<Record<RunEvent["type"], string>> = {
  "model.asked": "asking the model",
  "plan.proposed": "a plan is proposed",
  "plan.refused": "the plan was refused",
  "task.started": "started",
  "attempt.started": "attempt",
  "check.finished": "check",
  "rework.requested": "checks failed: trying again",
  "task.verified": "verified",
  "task.done": "done",
  "task.failed": "failed",
  "layer.applied": "the workspace has the changes",
};

/** Tells how a goal gets on, counted in tasks as soon as there is a plan. */
export function watchGoal(progress: ProgressReporter): (event: RunEvent) => void {
  let of = 0;
  let steps = 0;
  return ({ type, data }) => {
    if (type === "plan.accepted") {
      of = PlanAccepted.parse(data).plan.tasks.length;
      return progress.report(`the plan has ${countWord(of, "task")}`, { steps, of });
    }
    if (type === "task.added") of++;
    if (type === "task.done" || type === "task.failed") steps++;
    if (type === "repair.progressed") {
      const searching = RepairProgressed.safeParse(data).data;
      if (searching)
        progress.report(`${searching.task}: ${describeProgress(searching)}`, of === 0 ? undefined : { steps, of });
      return;
    }
    const text = PROGRESS_TEXTS[type];
    if (text === undefined) return;
    const subject = typeof data.task === "string" ? `${data.task}: ` : "";
    const verdict = typeof data.verdict === "string" ? ` ${data.verdict}` : "";
    progress.report(`${subject}${text}${verdict}`, of === 0 ? undefined : { steps: Math.min(steps, of), of });
  };
}
