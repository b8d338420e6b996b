import { readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * A host that is killed can't clean up. Its processes die with it (the kernel sees to that); what stays behind is its
 * directory, with a record of its control groups. Each start collects what belongs to hosts that are gone.
 */
export function collectLeftovers(runs: string, isAlive: (name: string) => boolean): void {
  for (const name of list(runs)) {
    if (!isAlive(name)) removeRunDirectory(join(runs, name));
  }
}

/** The directory of one host, with the control groups that its fork servers made. */
export function removeRunDirectory(directory: string): void {
  for (const server of list(directory)) removeControlGroups(join(directory, server, "cgroups"));
  rmSync(directory, { recursive: true, force: true });
}

export function removeControlGroups(record: string): void {
  let groups: string[];
  try {
    groups = readFileSync(record, "utf8").split("\n").filter(Boolean);
  } catch {
    return; // it never made any
  }
  for (const group of groups) {
    for (const slot of list(group)) removeGroup(join(group, slot));
    removeGroup(group);
  }
}

function removeGroup(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Gone already, a plain file of the group, or still in use by a process that is about to end: the next start tries again.
  }
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** A host's directory is called PID-STARTTIME-…: a later process with the same id started at another time. */
export function isProcessAlive(name: string): boolean {
  const [pid, startTime] = name.split("-");
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[19] === startTime && fields[0] !== "Z" && fields[0] !== "X";
  } catch {
    return false;
  }
}
