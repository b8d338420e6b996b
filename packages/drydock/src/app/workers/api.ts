import type { Cap, DoctorReport, ExecResult, WorkerInfo } from "@drydock/protocol";
import { loadLater } from "../../base/lazy/index.ts";
import type { Order, RunQueue } from "../../queue/index.ts";
import type { ExecOptions, QueueOptions } from "../execute/api.ts";
import type { GoalOptions } from "../goals/api.ts";
import type { WorkersPorts } from "./create-workers.ts";

export interface WorkOptions {
  /** How many runs it carries out at once. Default: `limits.concurrency` of the owner's policy. */
  slots?: number;
  /** By which people name it. Default: the machine's name and the number of its process. */
  name?: string;
  /** Labels, for runs that need them. */
  labels?: readonly string[];
  /** What an owner should know, in a sentence. */
  onNote?: (text: string) => void;
}

export interface RunningWorker {
  readonly id: string;
  /** Takes no more runs, and resolves when those under way have ended. */
  drain(): Promise<void>;
  /** Resolves when it was told to drain, from wherever, and has. */
  readonly drained: Promise<void>;
  /** Aborts what is still under way, and goes. */
  close(): Promise<void>;
}

/** Workers of all machines that share a database. DrydockError `input.invalid` where there is none. */
export interface Workers {
  /** Whether there is a shared database, and so a queue. */
  readonly isShared: boolean;
  list(): Promise<WorkerInfo[]>;
  /** Lets a worker, by id or name, take no more runs. */
  cordon(worker: string): Promise<void>;
  uncordon(worker: string): Promise<void>;
  /** Lets a worker take no more runs, and end when it has none. */
  drain(worker: string): Promise<void>;
  /** How many runs of an agent, in a workspace or of a user are carried out at once, on all workers together. */
  caps(): Promise<Cap[]>;
  /** Sets such a cap; null removes it. */
  setCap(cap: Omit<Cap, "most">, most: number | null): Promise<void>;
  /** Puts an execution on record that any worker carries out; resolves with its run. */
  submit(options: ExecOptions & QueueOptions): Promise<{ runId: string }>;
  /** The same, with its result. The signal cancels the run, in whatever process it is. */
  exec(options: ExecOptions & QueueOptions): Promise<ExecResult>;
  /** @internal The same request as an order. Null: the policy refuses it, and there is nothing for a worker. */
  orderExec(options: ExecOptions & QueueOptions): Promise<Order | null>;
  /** @internal */
  orderGoal(options: GoalOptions): Promise<Order>;
  /** @internal Who carries out what goes on after the caller's answer: workers where there is a shared database, else this process. */
  openQueue(onFault: (error: unknown) => void): Promise<RunQueue>;
  /** Whether runs that wait will be carried out, and what stands in the way. */
  examine(): Promise<DoctorReport>;
  /** Carries out runs until it is closed. */
  work(options?: WorkOptions): Promise<RunningWorker>;
}

/** @internal What closes with the dock. */
export interface LiveWorkers extends Workers {
  closeAll(): Promise<void>;
}

/** @internal */
export function openWorkers(ports: WorkersPorts): LiveWorkers {
  const later = loadLater(async () => (await import("./create-workers.ts")).createWorkers(ports));
  let isUsed = false;
  const use: typeof later = (pick) => {
    const method = later(pick);
    return ((...args: Parameters<typeof method>) => {
      isUsed = true;
      return method(...args);
    }) as typeof method;
  };
  return {
    isShared: ports.databaseUrl !== null,
    list: use((workers) => workers.list),
    cordon: use((workers) => workers.cordon),
    uncordon: use((workers) => workers.uncordon),
    drain: use((workers) => workers.drain),
    caps: use((workers) => workers.caps),
    setCap: use((workers) => workers.setCap),
    submit: use((workers) => workers.submit),
    exec: use((workers) => workers.exec),
    orderExec: use((workers) => workers.orderExec),
    orderGoal: ports.goals.order,
    openQueue: use((workers) => workers.openQueue),
    examine: use((workers) => workers.examine),
    work: use((workers) => workers.work),
    closeAll: async () => {
      if (isUsed) await later((workers) => workers.closeAll)();
    },
  };
}
