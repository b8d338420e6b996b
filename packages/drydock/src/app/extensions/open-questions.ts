import type { CapabilityOutcome } from "@drydock/protocol";

/** Calls of this process that wait for a person's answer, by the id of their run. */
export interface OpenQuestions {
  /** `answered` resolves once somebody has answered elsewhere in this process. */
  open(runId: string): { answered: Promise<void>; close(outcome: CapabilityOutcome): void };
  /** Continues a call that was approved elsewhere, and returns its outcome; null if no call of this run waits. */
  goOn(runId: string): Promise<CapabilityOutcome> | null;
}

export function createOpenQuestions(): OpenQuestions {
  const waiting = new Map<string, { answer: () => void; outcome: Promise<CapabilityOutcome> }>();
  return {
    open(runId) {
      const answered = Promise.withResolvers<void>();
      const outcome = Promise.withResolvers<CapabilityOutcome>();
      waiting.set(runId, { answer: answered.resolve, outcome: outcome.promise });
      return {
        answered: answered.promise,
        close(value) {
          waiting.delete(runId);
          outcome.resolve(value);
        },
      };
    },
    goOn(runId) {
      const found = waiting.get(runId);
      found?.answer();
      return found?.outcome ?? null;
    },
  };
}
