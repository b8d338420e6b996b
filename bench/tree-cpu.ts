import { readdirSync, readFileSync } from "node:fs";

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;

/** Processor time that a process and everything it started have taken so far, also what has ended and was waited for. */
export function treeCpuMs(root: number): number {
  const parents = new Map<number, number>();
  const times = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      parents.set(pid, Number(fields[1]));
      // utime, stime, cutime, cstime
      times.set(pid, fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS);
    } catch {
      // It has ended meanwhile.
    }
  }
  const belongs = (pid: number): boolean => pid === root || (parents.has(pid) && belongs(parents.get(pid) ?? 0));
  return [...times].reduce((sum, [pid, time]) => (belongs(pid) ? sum + time : sum), 0);
}
