import { readFileSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const KB = 1024;
/** As much room may be left of what came before; it takes time to have less. */
const LEFT_KB = 8 * KB;
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

export interface HostCost {
  /** By how much this process was larger at its largest than at the start. */
  grownMb: number;
  cpuMs: number;
}

let cleanKb = 0;

/** From here on; what is called gives back what it took. The kernel keeps the most that a process had, and forgets it when asked. */
export function startCosting(): () => HostCost {
  if (Math.abs(memoryKb("VmRSS") - cleanKb) > LEFT_KB) {
    collectGarbage();
    cleanKb = memoryKb("VmRSS");
  }
  writeFileSync("/proc/self/clear_refs", "5");
  const before = memoryKb("VmRSS");
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { grownMb: (memoryKb("VmHWM") - before) / KB, cpuMs: (user + system) / 1000 };
  };
}

function memoryKb(name: string): number {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
}
