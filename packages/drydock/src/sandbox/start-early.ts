import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Python } from "./find-python.ts";
import { type MemberKind, type SpawnedForkServer, spawnForkServer } from "./members/spawn-fork-server.ts";

// This file is a second door of the room, for who is in a hurry: through the first one comes everything.
export { collectLeftovers, isProcessAlive } from "./collect-leftovers.ts";
export { findPython } from "./find-python.ts";
export type { SpawnedForkServer } from "./members/spawn-fork-server.ts";

export const KERNEL_DIRECTORY = join(import.meta.dirname, "kernel");

/** What waiting members are built for: the defaults of the system's policy. `kernel/fork_server.py` knows the second. */
export const MEMBER_BYTES = 512 * 1024 * 1024;
export const MEMBER_PROCESSES = 64;

/** Where a host's processes live, and what they are called. */
export interface RunPlace {
  /** Short, private, and named so that others can tell whether its owner still lives. */
  directory: string;
  cacheDirectory: string;
  /** Unique on this machine. */
  instance: string;
  python: Python;
  node: string | null;
}

/**
 * Starts a fork server for a single run before anything else is loaded: the interpreter and this program then get ready
 * side by side. Nothing of the request is known here, and nothing needs to be.
 */
export function startEarly(place: RunPlace, kind: MemberKind): SpawnedForkServer {
  const directory = join(place.directory, "s1");
  mkdirSync(directory, { mode: 0o700 });
  return spawnForkServer({
    ...place,
    directory,
    kernel: KERNEL_DIRECTORY,
    instance: `${place.instance}-1`,
    preload: [],
    memoryBytes: MEMBER_BYTES,
    diskBytes: MEMBER_BYTES,
    hasty: kind,
  });
}

/** A directory for one host, named so that others can tell whether it still lives. */
export function makeRunDirectory(runs: string, name: string): string {
  const directory = join(runs, name);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}
