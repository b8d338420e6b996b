import type { DoctorReport } from "@drydock/protocol";
import { createCleanUp } from "../clean-up/api.ts";
import type { Config } from "../config.ts";
import type { DockOptions } from "../dock.ts";
import { execute } from "../execute/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";
import { runDoctor } from "./run-doctor.ts";
import { useScratchLedger } from "./scratch-ledger.ts";

export interface DoctorPorts extends ExecPorts {
  config: Config;
  options: DockOptions;
  home: string;
}

/** Examines a dock. What is tried out is recorded in a ledger of its own, which is removed afterwards. */
export function examineDock(ports: DoctorPorts): Promise<DoctorReport> {
  const { ledger, home } = ports;
  return useScratchLedger(ports.config.temporary, (scratch) =>
    runDoctor({
      ...ports,
      exec: (request) => execute({ ...ports, ledger: scratch }, request),
      probe: (policy) => ports.sandbox().probe(policy),
      diskUsage: createCleanUp(ledger, home).diskUsage,
    }),
  );
}
