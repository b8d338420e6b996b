import { type FSWatcher, readFileSync, watch } from "node:fs";

/**
 * One inotify watch per directory. The kernel queues an event while the writer is still in its system call, so one
 * poll of the event loop afterwards (`settle`) is enough to see every change made before.
 *
 * What inotify does not report: writes through a memory map, through another hard link outside the directory, or by
 * another machine on a network file system. `refresh({ full: true })` finds those.
 */
export interface DirectoryWatches<Key> {
  /** False once a watch could not be had: from then on the watches say nothing reliable. */
  readonly working: boolean;
  /** Starts over if the directory is watched already: the name may stand for another directory by now. */
  watch(key: Key, path: string | Buffer): void;
  unwatch(key: Key): void;
  /** Events may have been lost since the last call. */
  takeOverflow(): boolean;
  close(): void;
}

export function createDirectoryWatches<Key>(onChange: (key: Key) => void): DirectoryWatches<Key> {
  const watchers = new Map<Key, FSWatcher>();
  let working = true;
  let overflowsSeen = overflows;
  const close = () => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
  const giveUp = () => {
    working = false;
    close();
  };
  return {
    get working() {
      return working;
    },
    watch(key, path) {
      if (!working) return;
      const old = watchers.get(key);
      try {
        const watcher = watch(path, { persistent: false, recursive: false }, () => {
          countEvent();
          onChange(key);
        });
        watcher.on("error", giveUp);
        watchers.set(key, watcher);
      } catch (error) {
        watchers.delete(key);
        const { code } = error as NodeJS.ErrnoException;
        // A directory that went or may not be read is the listing's to judge; anything else means no watches here.
        if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "EACCES") giveUp();
      }
      old?.close();
    },
    unwatch(key) {
      watchers.get(key)?.close();
      watchers.delete(key);
    },
    takeOverflow() {
      const lost = overflowsSeen !== overflows;
      overflowsSeen = overflows;
      return lost;
    },
    close,
  };
}

/** Passes one poll of the event loop: the first immediate may run in the turn that has polled already. */
export async function settle(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * The kernel drops events beyond `max_queued_events`, and libuv swallows the note that says so. All of a process's
 * watches share one queue, which is emptied within one turn: a turn with half as many events as the queue holds is
 * taken for an overflow.
 */
let overflows = 0;
let eventsThisTurn = 0;
let queueLimit: number | undefined;

function countEvent(): void {
  if (eventsThisTurn === 0) {
    setImmediate(() => {
      eventsThisTurn = 0;
    });
  }
  eventsThisTurn += 1;
  queueLimit ??= readQueueLimit();
  if (eventsThisTurn === Math.ceil(queueLimit / 2)) overflows += 1;
}

function readQueueLimit(): number {
  try {
    return Number.parseInt(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8"), 10) || 1;
  } catch {
    return 1;
  }
}
