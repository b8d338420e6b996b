import { EXECUTIONS } from "./executions.ts";
import { POLICIES } from "./policies.ts";
import { RUNS } from "./runs.ts";
import { SYSTEM } from "./system.ts";
import { TASKS } from "./tasks.ts";

/** Everything that can be asked over HTTP, by its name. */
export const OPERATIONS = { ...EXECUTIONS, ...TASKS, ...RUNS, ...POLICIES, ...SYSTEM } as const;

export type { Operation, OperationInput, OperationRequest, OperationResponse } from "./operation.ts";
export { defineOperation } from "./operation.ts";
