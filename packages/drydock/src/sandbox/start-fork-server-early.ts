import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { KernelLimits } from "@drydock/protocol";
import type { Python } from "./find-python.ts";
import { type MemberKind, type SpawnedForkServer, spawnForkServer } from "./members/spawn-fork-server.ts";

// A second door of the room, for a fast start: index.ts would load everything.
export { collectLeftovers, isProcessAlive } from "./collect-leftovers.ts";
export { findPython } from "./find-python.ts";
export type { SpawnedForkServer } from "./members/spawn-fork-server.ts";

export const KERNEL_DIRECTORY = join(import.meta.dirname, "kernel");

const MB = 1024 * 1024;
/**
 * What waiting members are built for: the defaults of the system's policy. `kernel/fork_server.py` knows the last. The table
 * of limits is not read here, as this file is loaded before it.
 */
export const MEMBER_LIMITS = {
  memoryBytes: 512 * MB,
  diskBytes: 512 * MB,
  processes: 64,
} as const satisfies Partial<KernelLimits>;

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
export function startForkServerEarly(place: RunPlace, kind: MemberKind): SpawnedForkServer {
  const directory = join(place.directory, "s1");
  mkdirSync(directory, { mode: 0o700 });
  return spawnForkServer({
    ...place,
    directory,
    kernel: KERNEL_DIRECTORY,
    instance: `${place.instance}-1`,
    preload: [],
    memoryBytes: MEMBER_LIMITS.memoryBytes,
    diskBytes: MEMBER_LIMITS.diskBytes,
    hasty: kind,
  });
}

/** A directory for one host, named so that others can tell whether it still lives. */
export function makeRunDirectory(runs: string, name: string): string {
  const directory = join(runs, name);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}
