import { Worker } from "node:worker_threads";
import { DrydockError } from "@drydock/protocol";
import type {
  ApartAnswer,
  ApartRequest,
  MatchAnswer,
  MatchRequest,
  SchemaAnswer,
  SchemaRequest,
  Stopped,
} from "./apart-messages.ts";

const LIMIT_MS = 5000;
const MEMORY_MB = 512;
/** The source runs as it is; a build has the worker beside its other files. */
const WORKER = new URL(import.meta.url.endsWith(".ts") ? "./apart-worker.ts" : "./apart-worker.js", import.meta.url);

export interface ApartOptions {
  signal?: AbortSignal;
  /** Default 5 s. */
  limitMs?: number;
}

/**
 * Patterns and schemas come from whoever wrote the check. Some take exponential time, or memory without bounds: they are
 * tried in a thread of their own, which is ended when it has had its share.
 */
function runApart<A extends ApartAnswer>(
  request: ApartRequest,
  { signal, limitMs = LIMIT_MS }: ApartOptions = {},
): Promise<A | Stopped> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, {
      workerData: request,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      stdout: true,
      stderr: true,
    });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      void worker.terminate();
      settle();
    };
    const stop = (reason: string) => end(() => resolve({ kind: "stopped", reason }));
    const cancel = () => end(() => reject(cancelled()));
    const timer = setTimeout(() => stop(`it took more than ${limitMs / 1000} seconds.`), limitMs);
    worker.once("message", (answer: A) => end(() => resolve(answer)));
    worker.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY") stop(`it took more than ${MEMORY_MB} MB of memory.`);
      else end(() => reject(error));
    });
    if (signal?.aborted) cancel();
    else signal?.addEventListener("abort", cancel);
  });
}

export function matchApart(request: MatchRequest, options?: ApartOptions): Promise<MatchAnswer | Stopped> {
  return runApart<MatchAnswer>({ kind: "match", ...request }, options);
}

export function validateApart(request: SchemaRequest, options?: ApartOptions): Promise<SchemaAnswer | Stopped> {
  return runApart<SchemaAnswer>({ kind: "schema", ...request }, options);
}

function cancelled(): DrydockError {
  return new DrydockError("run.cancelled", "The checks were cancelled.", "Start them again when you want them.");
}
