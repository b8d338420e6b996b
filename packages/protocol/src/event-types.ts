// Plain lists: code that only compares names need not load the schemas.

export const VERDICTS = ["passed", "failed", "unproven", "unverified"] as const;

/** Names are `noun.past`. `run.created` is always the first; exactly one of the terminal ones is the last of its run's life. */
export const EVENT_TYPES = [
  "run.created",
  "output.recorded",
  "input.requested",
  "input.given",
  "network.refused",
  "network.connected",
  "layer.captured",
  "layer.applied",
  "layer.discarded",
  "layer.reverted",
  "artifact.stored",
  "step.rolled_back",
  "run.paused",
  "run.interrupted",
  "run.resumed",
  "run.followed",
  "model.asked",
  "model.answered",
  "model.failed",
  "plan.proposed",
  "plan.refused",
  "plan.accepted",
  "task.added",
  "task.started",
  "task.verified",
  "task.done",
  "task.failed",
  "task.cancelled",
  "task.stale",
  "task.reset",
  "attempt.started",
  "attempt.finished",
  "repair.progressed",
  "repair.finished",
  "tool.finished",
  "code.executed",
  "code.edited",
  "step.finished",
  "check.finished",
  "rework.requested",
  "tree.verified",
  "approval.requested",
  "approval.decided",
  "response.stored",
  "run.succeeded",
  "run.failed",
  "run.cancelled",
  "run.lost",
] as const;
type EventName = (typeof EVENT_TYPES)[number];

export const TERMINAL_EVENTS: readonly EventName[] = ["run.succeeded", "run.failed", "run.cancelled", "run.lost"];
/** What may still be recorded about a run after its terminal event: what became of its changes and of its code. */
export const AFTER_END_EVENTS: readonly EventName[] = [
  "layer.applied",
  "layer.discarded",
  "layer.reverted",
  "code.edited",
];
