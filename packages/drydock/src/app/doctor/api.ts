import type { DoctorReport } from "@drydock/protocol";
import type { DoctorPorts } from "./examine-dock.ts";

export interface Doctor {
  /** What this machine and this home can do, tried for real. */
  doctor(): Promise<DoctorReport>;
}

/** @internal */
export function createDoctor(ports: DoctorPorts): Doctor {
  return { doctor: async () => (await import("./examine-dock.ts")).examineDock(ports) };
}
