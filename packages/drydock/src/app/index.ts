export { readConfig } from "./config.ts";
export { createDock } from "./create-dock.ts";
export type * from "./dock.ts";
export type { DoctorReport, Finding } from "./doctor.ts";
export type { KeeperClient, Rollback } from "./keeper/index.ts";
export { createPolicies, homePolicyPath, workspacePolicyPath } from "./policies.ts";

/** Plain executions never need the keeper, and should not wait for its code. */
export const loadKeeper = () => import("./keeper/index.ts");
