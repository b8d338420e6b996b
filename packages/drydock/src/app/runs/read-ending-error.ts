import { ErrorInfo, type RunEvent, TERMINAL_EVENTS } from "@drydock/protocol";

/** The error of a run's terminal event; null where it has none. */
export function readEndingError(events: readonly RunEvent[]): ErrorInfo | null {
  const ending = events.findLast(({ type }) => TERMINAL_EVENTS.some((terminal) => terminal === type));
  return ErrorInfo.safeParse(ending?.data.error).data ?? null;
}
