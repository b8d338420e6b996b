import { Worker } from "node:worker_threads";

export const MEMORY_MB = 512;
/** Loading the schema library takes longer than a hundred checks, so threads are kept for later requests. */
const MAX_WAITING = 2;
const MAX_USES = 200;
const WAIT_MS = 30_000;
/** The source runs as it is; a build has the worker beside its other files. */
const WORKER = new URL(import.meta.url.endsWith(".ts") ? "./check-worker.ts" : "./check-worker.js", import.meta.url);

export interface WorkerThread {
  worker: Worker;
  uses: number;
}

interface WaitingThread {
  thread: WorkerThread;
  stopWaiting(): void;
}

const waiting: WaitingThread[] = [];

/** A thread for one request: one that waits, or a new one. */
export function takeThread(): WorkerThread {
  const next = waiting.pop();
  if (!next) return { worker: startWorker(), uses: 1 };
  next.stopWaiting();
  next.thread.worker.ref();
  return { worker: next.thread.worker, uses: next.thread.uses + 1 };
}

/** For a thread whose last request left no trace. It keeps no process alive, and ends if it is not used for a while. */
export function giveThreadBack(thread: WorkerThread): void {
  if (waiting.length >= MAX_WAITING || thread.uses >= MAX_USES) {
    endThread(thread);
    return;
  }
  const { worker } = thread;
  const drop = () => {
    entry.stopWaiting();
    waiting.splice(waiting.indexOf(entry), 1);
    endThread(thread);
  };
  const timer = setTimeout(drop, WAIT_MS).unref();
  const entry: WaitingThread = {
    thread,
    stopWaiting() {
      clearTimeout(timer);
      worker.off("error", drop).off("exit", drop);
    },
  };
  worker.once("error", drop).once("exit", drop).unref();
  waiting.push(entry);
}

export function endThread({ worker }: WorkerThread): void {
  // Whatever it still has to say is of no interest, and must not end the process.
  worker.on("error", () => {});
  void worker.terminate();
}

function startWorker(): Worker {
  return new Worker(WORKER, {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    stdout: true,
    stderr: true,
  });
}
