import { DrydockError } from "@drydock/protocol";
import type { SchemaAnswer, SchemaRequest } from "../../../base/json-schema/index.ts";
import { endThread, giveThreadBack, MEMORY_MB, takeThread } from "./thread-pool.ts";
import type {
  MatchAnswer,
  MatchRequest,
  Stopped,
  WorkerAnswer,
  WorkerReply,
  WorkerRequest,
} from "./worker-messages.ts";

const LIMIT_MS = 5000;
const SHORTEST_WAIT_MS = 50;
/** A request that has not had its processor time after so many times the limit waits for something that does not come. */
const MOST_BY_CLOCK = 24;

export interface WorkerOptions {
  signal?: AbortSignal;
  /** Of processor time, so that a busy machine judges as an idle one does. Default 5 s. */
  limitMs?: number;
}

/**
 * Patterns and schemas come from the author of the check. Some take exponential time, or memory without bounds: they are
 * tried in a thread, which is ended at its limits. A thread is used again only after a request that left no
 * trace in it: no check may change how another is judged.
 */
function runInWorker<A extends WorkerAnswer>(
  request: WorkerRequest,
  { signal, limitMs = LIMIT_MS }: WorkerOptions = {},
): Promise<A | Stopped> {
  if (signal?.aborted) return Promise.reject(cancelled());
  return new Promise((resolve, reject) => {
    const thread = takeThread();
    const { worker } = thread;
    const usedBefore = thread.cpuMs();
    const latest = performance.now() + MOST_BY_CLOCK * limitMs;
    const leave = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      worker.off("message", take).off("error", fail).off("exit", vanish);
    };
    const end = (settle: () => void) => {
      leave();
      endThread(thread);
      settle();
    };
    const stop = (reason: string) => end(() => resolve({ kind: "stopped", reason }));
    const cancel = () => end(() => reject(cancelled()));
    const take = ({ answer, isReusable }: WorkerReply) => {
      leave();
      if (isReusable) giveThreadBack(thread);
      else endThread(thread);
      resolve(answer as A);
    };
    const fail = (error: NodeJS.ErrnoException) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") stop(`it took more than ${MEMORY_MB} MB of memory.`);
      else end(() => reject(error));
    };
    const vanish = () => end(() => reject(new Error("The thread of a check ended without an answer.")));
    const look = () => {
      const leftMs = limitMs - (thread.cpuMs() - usedBefore);
      if (leftMs <= 0 || performance.now() > latest) stop(`it took more than ${limitMs / 1000} seconds.`);
      else timer = setTimeout(look, Math.max(leftMs, SHORTEST_WAIT_MS));
    };
    let timer = setTimeout(look, limitMs);
    worker.on("message", take).on("error", fail).on("exit", vanish);
    signal?.addEventListener("abort", cancel);
    worker.postMessage(request);
  });
}

export function matchInWorker(request: MatchRequest, options?: WorkerOptions): Promise<MatchAnswer | Stopped> {
  return runInWorker<MatchAnswer>({ kind: "match", ...request }, options);
}

export function validateInWorker(request: SchemaRequest, options?: WorkerOptions): Promise<SchemaAnswer | Stopped> {
  return runInWorker<SchemaAnswer>({ kind: "schema", ...request }, options);
}

function cancelled(): DrydockError {
  return new DrydockError("run.cancelled", "The checks were cancelled.", "Start them again when you want them.");
}
