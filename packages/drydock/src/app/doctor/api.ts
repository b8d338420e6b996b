import type { SandboxReport } from "@drydock/protocol";
import type { DoctorFinding } from "../../sandbox/index.ts";
import type { DoctorPorts } from "./examine-dock.ts";

export type { DoctorFinding };

export interface DoctorReport {
  ok: boolean;
  level: SandboxReport["level"];
  findings: DoctorFinding[];
  /** Medians, in milliseconds: bare start of the interpreter against a warm run in the dock. */
  timings: { name: string; bareMs: number; dockMs: number }[];
}

export interface Doctor {
  /** What this machine and this home can do, tried for real. */
  doctor(): Promise<DoctorReport>;
}

/** @internal */
export function createDoctor(ports: DoctorPorts): Doctor {
  return { doctor: async () => (await import("./examine-dock.ts")).examineDock(ports) };
}
