import type { SandboxReport } from "@drydock/protocol";
import type { Finding } from "../../sandbox/index.ts";

export type { Finding };

export interface DoctorReport {
  ok: boolean;
  level: SandboxReport["level"];
  findings: Finding[];
  /** Medians, in milliseconds: bare start of the interpreter against a warm run in the dock. */
  timings: { name: string; bareMs: number; dockMs: number }[];
}
