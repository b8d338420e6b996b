import { readFileSync } from "node:fs";
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
  /** Processor time so far; 0 before it has started. */
  cpuMs(): number;
}

interface WaitingThread {
  thread: WorkerThread;
  stopWaiting(): void;
}

const waiting: WaitingThread[] = [];

/** A thread for one request: one that waits, or a new one. */
export function takeThread(): WorkerThread {
  const next = waiting.pop();
  if (!next) return startThread();
  next.stopWaiting();
  next.thread.worker.ref();
  return { ...next.thread, uses: next.thread.uses + 1 };
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

function startThread(): WorkerThread {
  // The thread writes its number in the kernel here.
  const number = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(WORKER, {
    env: {},
    workerData: number,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    stdout: true,
    stderr: true,
  });
  return { worker, uses: 1, cpuMs: () => readCpuMs(Atomics.load(number, 0)) };
}

const TICK_MS = 10;

function readCpuMs(thread: number): number {
  if (thread === 0) return 0;
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "latin1");
    // The name in parentheses may hold anything. What follows it begins with the third field; times are the 14th and 15th.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0; // it has ended
  }
}
