import { ErrorInfo, type RunEvent } from "@drydock/protocol";
import { findEnding } from "./find-ending.ts";

/** The error of a run's terminal event; null where it has none. */
export function readEndingError(events: readonly RunEvent[]): ErrorInfo | null {
  return ErrorInfo.safeParse(findEnding(events)?.data.error).data ?? null;
}
