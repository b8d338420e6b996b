import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { readProcessStart } from "../base/processes/index.ts";

/** The process that answers for a run. `startTime` tells it from a later one with the same pid. */
export interface Owner {
  pid: number;
  startTime: string;
  /** Host name, boot id and pid namespace: where `pid` means something. In a shared database also the home's id. */
  host: string;
}

/** This process. */
export function readOwner(): Owner {
  return { pid: process.pid, startTime: readProcessStart(process.pid) ?? "", host: currentHost() };
}

/** The same process, as one of a home whose database other machines use, too. */
export function ownerOf(owner: Owner, home: string): Owner {
  return { ...owner, host: `${owner.host}|${home}` };
}

/**
 * Whether the owner is certainly gone. Users of one SQLite ledger share a kernel (its WAL is shared memory), so an
 * owner of another boot is gone, and one in another pid namespace of this boot counts as alive: it can't be seen from here.
 * Where machines share a database, each process has the id of its home as well. One of this home and another boot is gone:
 * this machine was started again. Of all that can't be seen from here, `isElsewhereGone` decides.
 */
export function isOwnerGone(owner: Owner, here: Owner, isElsewhereGone?: (owner: Owner) => boolean): boolean {
  const [, boot, namespace, home] = owner.host.split("|");
  const [, hereBoot, hereNamespace, hereHome] = here.host.split("|");
  if (boot === hereBoot && namespace === hereNamespace) return readProcessStart(owner.pid) !== owner.startTime;
  if (boot !== hereBoot && home === hereHome) return true;
  return isElsewhereGone?.(owner) ?? false;
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
