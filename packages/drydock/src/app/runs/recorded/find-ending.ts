import { type RunEvent, TERMINAL_EVENTS } from "@drydock/protocol";

/** The event with which a run ended. Events about what became of its changes may follow. */
export function findEnding(events: readonly RunEvent[]): RunEvent | undefined {
  return events.findLast(({ type }) => TERMINAL_EVENTS.includes(type));
}
