import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { DirectoryState } from "./directory-state.ts";
import type { HashedAtOnce } from "./hash-file.ts";
import { toFilePath } from "./path-bytes.ts";

/** Numbers for each file: mode, size, mtimeMs, ctimeMs, ino, and when it was looked at. */
export const FIGURES = 6;

/** The small files of one directory, as a thread tells of them. */
export interface ReadDirectory {
  names: string[];
  figures: Float64Array;
  /** 64 digits each. */
  hashes: string;
}

export interface ReadFile extends Omit<HashedAtOnce, "stat"> {
  stat: Pick<HashedAtOnce["stat"], "mode" | "size" | "mtimeMs" | "ctimeMs" | "ino">;
  seenAtMs: number;
}

export type ReadFiles = ReadonlyMap<string, ReadFile>;

/**
 * Threads that read directories while the caller reads others. Each requested directory comes back once, with what
 * could be read of it: nothing if its thread has ended.
 */
export interface ReadAhead {
  /** Whether there are threads, and one of them has little to do. */
  readonly hasRoom: boolean;
  give(states: DirectoryState[]): void;
  take(): { state: DirectoryState; files: ReadFiles }[];
  /** Directories that are still out. */
  readonly pending: number;
  /** Resolves when there is something to take. */
  wait(): Promise<void>;
  close(): void;
}

const MOST_THREADS = 3;
/** How many lists of directories a thread has at most: while it tells of one it reads the next. */
const LISTS_EACH = 2;
/** The source runs as it is; a build has the worker beside its other files. */
const WORKER = new URL(import.meta.url.endsWith(".ts") ? "./read-worker.ts" : "./read-worker.js", import.meta.url);

interface Thread {
  worker: Worker;
  lists: DirectoryState[][];
}

export function createReadAhead(
  root: string,
  threadsCount = Math.min(MOST_THREADS, availableParallelism() - 1),
): ReadAhead {
  const threads: Thread[] = [];
  let done: { state: DirectoryState; files: ReadFiles }[] = [];
  let pending = 0;
  let wake = () => {};

  const settle = (states: readonly DirectoryState[] | undefined, read: readonly ReadDirectory[]) => {
    for (const [at, state] of states?.entries() ?? []) {
      pending -= 1;
      done.push({ state, files: toFiles(read[at]) });
    }
    wake();
  };

  const start = (): Thread => {
    const worker = new Worker(WORKER, { env: {}, stdout: true, stderr: true });
    const thread: Thread = { worker, lists: [] };
    worker.on("message", (read: ReadDirectory[]) => settle(thread.lists.shift(), read));
    // The caller reads the remaining requests itself.
    const end = () => {
      const at = threads.indexOf(thread);
      if (at >= 0) threads.splice(at, 1);
      threadsCount = 0;
      for (const list of thread.lists.splice(0)) settle(list, []);
    };
    worker.on("error", end).on("exit", end);
    threads.push(thread);
    return thread;
  };

  const findThread = () =>
    threads.find(({ lists }) => lists.length < LISTS_EACH) ?? (threads.length < threadsCount ? start() : undefined);

  return {
    get hasRoom() {
      return threads.length < threadsCount || threads.some(({ lists }) => lists.length < LISTS_EACH);
    },
    give(states) {
      const thread = findThread();
      pending += states.length;
      if (!thread) return settle(states, []);
      thread.lists.push(states);
      thread.worker.postMessage(states.map(({ path }) => String(toFilePath(root, path))));
    },
    take() {
      const taken = done;
      done = [];
      return taken;
    },
    get pending() {
      return pending;
    },
    async wait() {
      if (done.length > 0 || pending === 0) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
    close() {
      for (const { worker } of threads)
        void worker
          .removeAllListeners()
          .on("error", () => {})
          .terminate();
    },
  };
}

function toFiles(read: ReadDirectory | undefined): ReadFiles {
  const files = new Map<string, ReadFile>();
  for (const [at, name] of read?.names.entries() ?? []) {
    const [mode = 0, size = 0, mtimeMs = 0, ctimeMs = 0, ino = 0, seenAtMs = 0] =
      read?.figures.subarray(FIGURES * at, FIGURES * (at + 1)) ?? [];
    const sha256 = read?.hashes.slice(64 * at, 64 * (at + 1)) ?? "";
    files.set(name, { sha256, stat: { mode, size, mtimeMs, ctimeMs, ino }, seenAtMs });
  }
  return files;
}
