import type { CapabilityOutcome } from "@drydock/protocol";

/** Calls of this process for which a person is being asked right now, by their runs. */
export interface Asking {
  /** `answered` resolves when somebody answered elsewhere in this process. */
  open(runId: string): { answered: Promise<void>; close(outcome: CapabilityOutcome): void };
  /** Lets a call go on whose approval was given elsewhere, and tells what comes of it; null where none is asked for. */
  goOn(runId: string): Promise<CapabilityOutcome> | null;
}

export function createAsking(): Asking {
  const asked = new Map<string, { answer: () => void; outcome: Promise<CapabilityOutcome> }>();
  return {
    open(runId) {
      const answered = Promise.withResolvers<void>();
      const outcome = Promise.withResolvers<CapabilityOutcome>();
      asked.set(runId, { answer: answered.resolve, outcome: outcome.promise });
      return {
        answered: answered.promise,
        close(value) {
          asked.delete(runId);
          outcome.resolve(value);
        },
      };
    },
    goOn(runId) {
      const found = asked.get(runId);
      found?.answer();
      return found?.outcome ?? null;
    },
  };
}
