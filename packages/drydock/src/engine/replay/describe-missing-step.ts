import { ErrorInfo, type RunEvent, TERMINAL_EVENTS } from "@drydock/protocol";

export const NOT_RECORDED = "The record has no such step.";

/** What a replay says about a recorded step that it does not have: why it ended before, or that it took another way. */
export function describeMissingStep(recorded: readonly RunEvent[], replayed: readonly RunEvent[]): string {
  const why = whyEnded(replayed);
  if (why === null || why === whyEnded(recorded)) return "The replay has no such step.";
  return `The replay ended before this step: ${why}`;
}

/** What a run that did not succeed ended with, in words; null where it succeeded or goes on. */
function whyEnded(events: readonly RunEvent[]): string | null {
  const ending = events.findLast(({ type }) => TERMINAL_EVENTS.includes(type));
  if (!ending || ending.type === "run.succeeded") return null;
  const error = ErrorInfo.safeParse(ending.data.error).data;
  if (error) return `${error.message} (${error.code})`;
  return typeof ending.data.reason === "string" ? ending.data.reason : null;
}
