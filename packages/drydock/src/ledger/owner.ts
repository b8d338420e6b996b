import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** The process that answers for a run. `startTime` tells it from a later one with the same pid. */
export interface Owner {
  pid: number;
  startTime: string;
  /** Host name, boot id and pid namespace: where `pid` means something. */
  host: string;
}

/** This process. */
export function readOwner(): Owner {
  return { pid: process.pid, startTime: processStart(process.pid) ?? "", host: currentHost() };
}

/**
 * Whether the owner is certainly gone. Users of one SQLite ledger share a kernel (its WAL is shared memory), so an
 * owner of another boot is gone. One in another pid namespace of this boot can't be seen from here and counts as alive.
 */
export function isOwnerGone(owner: Owner, here: string): boolean {
  const [, boot, namespace] = owner.host.split("|");
  const [, hereBoot, hereNamespace] = here.split("|");
  if (boot !== hereBoot) return true;
  if (namespace !== hereNamespace) return false;
  return processStart(owner.pid) !== owner.startTime;
}

function currentHost(): string {
  return [hostname(), readBootId(), readPidNamespace()].join("|");
}

function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "unknown";
  }
}

function readPidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "unknown";
  }
}

/** When the process started, in clock ticks since boot; nothing where there is none, or only what is left of a dead one. */
function processStart(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The name, in parentheses, may hold anything; the fields after its last parenthesis are fixed.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields[0];
  return state === "Z" || state === "X" ? undefined : fields[19];
}
