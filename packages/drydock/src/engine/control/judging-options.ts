import type { EngineContext } from "../engine-context.ts";
import type { JudgeTreeOptions } from "../verify/index.ts";

type Shared = Pick<
  JudgeTreeOptions,
  "policy" | "runner" | "signal" | "planIsUsers" | "mayChange" | "records" | "onCheck" | "onStart"
>;

/** Options shared by all judgements of a run. `task` is the task that check events belong to. */
export function judgingOptions(context: EngineContext, task: string | null): Shared {
  const { policy, runner, signal, records, settings } = context;
  return {
    policy,
    runner,
    signal,
    records,
    planIsUsers: settings.planIsUsers,
    mayChange: settings.mayChange,
    onStart: (check, phase) => context.onProgress?.({ kind: "phase", task, check, phase }),
    onCheck: ({ type, verdict, reason }) =>
      task === null ? undefined : context.onProgress?.({ kind: "check", task, type, verdict, reason }),
  };
}
