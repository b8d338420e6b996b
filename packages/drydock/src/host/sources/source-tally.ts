import type { SourceStatus } from "@drydock/protocol";
import { NEVER_STARTED, type SourceStore } from "../../ledger/index.ts";

type Change = Partial<Pick<SourceStatus, "state" | "problem" | "hint" | "retryAt">>;

/** How one source stands, kept on record. What is only counted is written now and then; another state at once. */
export interface SourceTally {
  set(change: Change): void;
  countEvent(): void;
  countOutcome(outcome: string): void;
  countRefused(): void;
  /** Writes what is not written yet. Resolves when nothing is left. */
  save(): Promise<void>;
}

export function createSourceTally(store: Pick<SourceStore, "setStatus">, id: string, now: () => number): SourceTally {
  let status: SourceStatus = NEVER_STARTED;
  let isDirty = false;
  let writing: Promise<void> = Promise.resolve();
  const timeOf = () => new Date(now()).toISOString();
  const write = async () => {
    if (!isDirty) return;
    const said = status;
    isDirty = false;
    status = { ...status, events: 0, refused: 0 };
    await store.setStatus(id, said).catch(() => {
      // A ledger that can't be written must not end the source: what was counted is written with the next change.
      status = { ...status, events: status.events + said.events, refused: status.refused + said.refused };
      isDirty = true;
    });
  };
  const save = () => {
    writing = writing.then(write);
    return writing;
  };
  const change = (to: Partial<SourceStatus>) => {
    status = { ...status, ...to };
    isDirty = true;
  };
  return {
    set({ state = status.state, ...rest }) {
      const isSame = state === status.state && (rest.problem ?? null) === status.problem;
      if (isSame && rest.retryAt === undefined) return;
      const since = state === status.state ? status.since : timeOf();
      change({ problem: null, hint: null, retryAt: null, ...rest, state, since });
      void save();
    },
    countEvent: () => change({ events: status.events + 1, lastEventAt: timeOf() }),
    countOutcome: (lastOutcome) => change({ lastOutcome }),
    countRefused: () => change({ refused: status.refused + 1 }),
    save,
  };
}
