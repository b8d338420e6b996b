import { readFileSync } from "node:fs";

/**
 * When a process started, in clock ticks since boot: it tells the process from a later one with the same id. Undefined where
 * there is no such process, or only what is left of a dead one.
 */
export function readProcessStart(pid: number): string | undefined {
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
