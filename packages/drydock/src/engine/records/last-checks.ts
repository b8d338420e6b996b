import type { CheckResult } from "@drydock/protocol";
import type { TaskView } from "./goal-view.ts";

/** What a task's result was judged by: an attempt that changed nothing more is not judged again, and may not count. */
export function lastChecks({ attempts, judged }: Pick<TaskView, "attempts" | "judged">): CheckResult[] {
  const made = attempts.filter(({ checks }) => checks.length > 0);
  return (made.findLast(({ number }) => number === judged) ?? made.at(-1))?.checks ?? [];
}
