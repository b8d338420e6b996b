import { APPROVALS } from "./approvals.ts";
import { BACKLOG } from "./backlog.ts";
import { BOXES } from "./boxes.ts";
import { CAPABILITIES } from "./capabilities.ts";
import { EXECUTIONS } from "./executions.ts";
import { EXTENSIONS } from "./extensions.ts";
import { HOME } from "./home.ts";
import { HOST } from "./host/agents.ts";
import { CONVERSATIONS } from "./host/conversations.ts";
import { HOST_RUNS } from "./host/host-runs.ts";
import { HOST_SETUP } from "./host/host-setup.ts";
import { PLUGINS } from "./host/plugins.ts";
import { SOURCES } from "./host/sources.ts";
import { KNOWLEDGE } from "./knowledge.ts";
import { PLANS } from "./plans.ts";
import { POLICIES } from "./policies.ts";
import { RECORDS } from "./records.ts";
import { RESPONSES } from "./responses.ts";
import { RUN_RESULTS } from "./run-results.ts";
import { RUNS } from "./runs.ts";
import { SECRETS } from "./secrets.ts";
import { SYSTEM } from "./system.ts";
import { TASKS } from "./tasks.ts";
import { TOKENS } from "./tokens.ts";
import { UPSTREAMS } from "./upstreams.ts";

/** All operations of the HTTP interface, by name. */
export const OPERATIONS = {
  ...EXECUTIONS,
  ...TASKS,
  ...RUNS,
  ...RUN_RESULTS,
  ...PLANS,
  ...BACKLOG,
  ...RECORDS,
  ...EXTENSIONS,
  ...CAPABILITIES,
  ...APPROVALS,
  ...RESPONSES,
  ...SECRETS,
  ...UPSTREAMS,
  ...KNOWLEDGE,
  ...POLICIES,
  ...HOST,
  ...HOST_SETUP,
  ...HOST_RUNS,
  ...CONVERSATIONS,
  ...PLUGINS,
  ...SOURCES,
  ...BOXES,
  ...SYSTEM,
  ...HOME,
  ...TOKENS,
} as const;

export type { Operation, OperationInput, OperationRequest, OperationResponse } from "./operation.ts";
export { defineOperation } from "./operation.ts";
