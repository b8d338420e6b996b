import { execFileSync } from "node:child_process";
import { cpus, loadavg, release, totalmem } from "node:os";

export interface Machine {
  cores: number;
  processor: string;
  memoryGb: number;
  kernel: string;
  python: string;
  node: string;
  user: string;
  loadAtStart: number;
}

export function describeMachine(python: string): Machine {
  const [first] = cpus();
  return {
    cores: cpus().length,
    processor: first?.model ?? "unknown",
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    python: execFileSync(python, ["--version"], { encoding: "utf8" }).trim(),
    node: process.version,
    user: process.getuid?.() === 0 ? "root" : "an ordinary user",
    loadAtStart: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}
