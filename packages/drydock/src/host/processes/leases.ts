import type { PluginProcess } from "./plugin-process.ts";

/** A process that somebody was given. It does not end as idle before `release`, also where no run has begun on it yet. */
export interface Lease {
  readonly process: PluginProcess;
  /** The second call changes nothing. */
  release(): void;
}

export interface Leases {
  take(process: PluginProcess): Lease;
  /** Whether it has runs, or was given to somebody whose run has not begun. */
  isInUse(process: PluginProcess): boolean;
}

export function createLeases(): Leases {
  const held = new WeakMap<PluginProcess, Set<Lease>>();
  return {
    take(process) {
      const leases = held.get(process) ?? new Set();
      held.set(process, leases);
      const lease = { process, release: () => void leases.delete(lease) };
      leases.add(lease);
      return lease;
    },
    isInUse: (process) => process.openRuns > 0 || (held.get(process)?.size ?? 0) > 0,
  };
}
