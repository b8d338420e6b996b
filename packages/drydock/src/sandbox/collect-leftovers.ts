import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { listDirectory } from "../base/paths/index.ts";
import { readProcessStart } from "../base/processes/index.ts";

const PATIENCE_MS = 3000;

/**
 * A host that is killed can't clean up. Its processes die with it (the kernel sees to that); what stays behind is its
 * directory, with a record of its control groups. Each start collects what belongs to hosts that are gone.
 */
export function collectLeftovers(runs: string, isAlive: (name: string) => boolean): void {
  for (const name of listDirectory(runs)) {
    if (!isAlive(name)) removeRunDirectory(join(runs, name));
  }
}

/** The directory of one host, with the control groups that its fork servers made. The record of a group outlives it. */
export function removeRunDirectory(directory: string): void {
  const servers = [directory, ...listDirectories(directory).map((name) => join(directory, name))].flatMap(listServers);
  const gone = servers.map((server) => removeControlGroups(join(server, "cgroups")));
  const freed = servers.map((server) => removePlaces(join(server, "places")));
  if ([...gone, ...freed].every(Boolean)) rmSync(directory, { recursive: true, force: true });
}

function listServers(fleet: string): string[] {
  return listDirectories(fleet).map((server) => join(fleet, server));
}

/** Directories elsewhere, for code that is a user of its own. Whether none of them is left. */
function removePlaces(record: string): boolean {
  let places: string[];
  try {
    places = readFileSync(record, "utf8").split("\n").filter(Boolean);
  } catch {
    return true; // it never made any
  }
  return places.map(removePlace).every(Boolean);
}

function removePlace(place: string): boolean {
  // An engine's daemon sees what is mounted for it: that is the host's to see, too, and outlives its server.
  const mounts = listMountsBelow(place);
  if (mounts.length > 0) spawnSync("umount", ["--lazy", ...mounts.reverse()], { stdio: "ignore" });
  if (listMountsBelow(place).length > 0) return false;
  rmSync(place, { recursive: true, force: true });
  return true;
}

/** In the order in which they were mounted. */
function listMountsBelow(place: string): string[] {
  const lines = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  return lines.map((line) => line.split(" ")[4] ?? "").filter((path) => path.startsWith(`${place}/`));
}

/** Whether none of them is left. */
export function removeControlGroups(record: string): boolean {
  let groups: string[];
  try {
    groups = readFileSync(record, "utf8").split("\n").filter(Boolean);
  } catch {
    return true; // it never made any
  }
  const deadline = Date.now() + PATIENCE_MS;
  return groups.map((group) => removeGroup(group, deadline)).every(Boolean);
}

/** A process that was killed stays in its group for a moment longer. What still lives in it has lost its host, and ends here. */
function removeGroup(group: string, deadline: number): boolean {
  while (true) {
    const slots = listDirectories(group).map((slot) => join(group, slot));
    const busy = [...slots, group].filter((path) => !removeEmpty(path));
    if (busy.length === 0) return true;
    if (Date.now() > deadline) return false;
    for (const path of busy) killMembers(path);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
}

function removeEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}

function killMembers(group: string): void {
  try {
    for (const pid of readFileSync(join(group, "cgroup.procs"), "utf8").split("\n").filter(Boolean)) {
      process.kill(Number(pid), "SIGKILL");
    }
  } catch {
    // Both the group and its processes may be gone by now.
  }
}

function listDirectories(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

/** A host's directory is called PID-STARTTIME-…: a later process with the same id started at another time. */
export function isProcessAlive(name: string): boolean {
  const [pid, startTime] = name.split("-");
  return startTime !== undefined && readProcessStart(Number(pid)) === startTime;
}
