import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { readProcessStart } from "../base/processes/index.ts";

/** The process that answers for a run. `startTime` tells it from a later one with the same pid. */
export interface Owner {
  pid: number;
  startTime: string;
  /** Host name, boot id and pid namespace: where `pid` means something. */
  host: string;
}

/** This process. */
export function readOwner(): Owner {
  return { pid: process.pid, startTime: readProcessStart(process.pid) ?? "", host: currentHost() };
}

/**
 * Whether the owner is certainly gone. Users of one SQLite ledger share a kernel (its WAL is shared memory), so an
 * owner of another boot is gone. Where the ledger `isShared` between machines, it is gone only if the machine has the same
 * name. One in another pid namespace of this boot can't be seen from here and counts as alive.
 */
export function isOwnerGone(owner: Owner, here: string, isShared = false): boolean {
  const [machine, boot, namespace] = owner.host.split("|");
  const [hereMachine, hereBoot, hereNamespace] = here.split("|");
  if (boot !== hereBoot) return !isShared || machine === hereMachine;
  if (namespace !== hereNamespace) return false;
  return readProcessStart(owner.pid) !== owner.startTime;
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
