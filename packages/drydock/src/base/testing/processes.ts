import { readdirSync, readFileSync } from "node:fs";

/** Process ids on this machine whose command line holds `marker`. */
export function processesWith(marker: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "latin1").includes(marker);
      } catch {
        return false; // it ended meanwhile
      }
    })
    .map(Number);
}

/**
 * Process ids of the dock with this home: its fork servers, whose words name it, and all that they started. Members cover
 * the words that they were started with, and are found by their parents only.
 */
export function processesOf(home: string): number[] {
  const parents = readdirSync("/proc").flatMap((name) => {
    const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : null;
    return parent === null ? [] : [[Number(name), parent] as const];
  });
  const found = new Set(processesWith(home));
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

function parentOf(pid: number): number | null {
  try {
    const [, parent] = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    return Number(parent);
  } catch {
    return null; // it ended meanwhile
  }
}
