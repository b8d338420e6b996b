import type { NewRun } from "../ledger/index.ts";

/** What is to be carried out by whichever worker can. The run's record holds all that the worker needs. */
export interface Order {
  run: NewRun;
  /** What a worker must offer: `language:python`, `home:…`. */
  needs: readonly string[];
  /** Whose turn it is counted as: runs of several users and agents take turns. */
  party: string;
  /** The agent whose run it is; null: none. */
  agent: string | null;
  /** From -20 to 20: runs of a higher level go first. Default: 0. */
  priority?: number;
  /** It waits until then. */
  startAfter?: Date;
  /** What the record names by its hash: kept with the run before a worker can have it. */
  contents?: readonly Uint8Array[];
}

/** How a piece of work reports the id of its run. */
export type OnRunStarted = (runId: string) => void;

/** Work that goes on after the caller has his answer. */
export interface QueuedWork {
  /** Carries it out in this process. */
  act(signal: AbortSignal, begun: OnRunStarted): Promise<unknown>;
  /** What a worker carries out instead. Absent, or null: this process does it, as with what is refused at once. */
  order?(): Promise<Order | null>;
}

/** Who carries out what: this process, or workers on any machine. */
export interface RunQueue {
  /** Resolves with the run once it is on record, or rejects where it never became one. */
  start(work: QueuedWork): Promise<string>;
  /** Ends a run that this process carries out; false: it carries out no such run. */
  cancel(runId: string): boolean;
  /** How many this process carries out. */
  count(): number;
  /** Lets go of what this process carries out: `pause` is asked for each run, the others get until `patience` and are cancelled then. */
  handBack(patience: AbortSignal, pause: (runId: string) => Promise<void>): Promise<void>;
}

/** What workers of one machine offer, and what needs a directory of that machine asks for. */
export function machineOf(name: string): string {
  return `machine:${name.replaceAll(/[^\w.-]/g, "_")}`;
}
