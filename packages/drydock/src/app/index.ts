import type { ReceiptReport } from "@drydock/protocol";
import type { AnyAgent } from "../tasks/index.ts";
import type { LoadAgentsOptions } from "./agents/load-agents.ts";
import type { DatabaseAdministration } from "./database/api.ts";
import type { Dock, InternalOptions } from "./dock.ts";
import type { VerifyReceiptOptions } from "./receipts/api.ts";

/** @internal */
export type { OnRunStarted, Order, RunQueue } from "../queue/index.ts";
export type { AnswerInput, InputRequest } from "../sandbox/index.ts";
export type { LoadAgentsOptions } from "./agents/load-agents.ts";
export { readConfig } from "./config.ts";
/** @internal */
export type { CopyProgress, DatabaseStatus } from "./database/api.ts";
export type { ApplyOptions, Delivered, Discarded, Reverted } from "./deliveries/api.ts";
export type * from "./dock.ts";
export type { ExecOptions } from "./execute/api.ts";
export type {
  ApprovalDecision,
  CapabilityContext,
  Extensions,
  InstallOptions,
} from "./extensions/api.ts";
export type { GoalOptions, GoalResult, Goals, ResumeOptions } from "./goals/api.ts";
export { PLUGIN_LANGUAGES, type PluginLanguage, type PluginPlan } from "./host/api.ts";
export type { RunningSources } from "./host/sources/host-sources.ts";
export type { KeeperClient } from "./keeper/index.ts";
export type { IngestOptions } from "./knowledge/api.ts";
export type { AddedModel, ModelList, ProviderInfo, RemovedModel, TestedModel } from "./models/api.ts";
export type { ShowPolicyOptions } from "./policies/api.ts";
export type { Anchored, Audit, Receipt, ReceiptOptions, VerifyReceiptOptions } from "./receipts/api.ts";
export type { ReplayOptions } from "./replays/api.ts";
export { type EarlyStart, startSandboxEarly } from "./run-place.ts";
export type { Input, OutputChunk, RunFindings, Runs } from "./runs/api.ts";
export type {
  Session,
  SessionOptions,
  Sessions,
  StepOptions,
} from "./sessions/api.ts";
export type { AskOptions, CodeBlocks, RunBlockOptions } from "./tasks/api.ts";
export type { AddedUpstream, RemovedUpstream } from "./upstreams/api.ts";
export type { StrengthOptions, VerifyOptions, VerifyResult } from "./verify/api.ts";
export type { RunningWorker } from "./workers/api.ts";
export type { Checkpoint, WrapDecision, WrapHandle, WrapOptions, WrapResult, WrapReview, Wraps } from "./wraps/api.ts";

// A command should wait for the code that it needs, and for no other.

/** Opens a dock: the library's front door. The sandbox starts with the first run. */
export async function createDock(options: InternalOptions = {}): Promise<Dock> {
  return (await import("./create-dock.ts")).createDock(options);
}

/** @internal Of this process's home and `DATABASE_URL`: how the database stands, migrations, and the copy into PostgreSQL. */
export async function openDatabaseAdministration(): Promise<DatabaseAdministration> {
  return (await import("./database/api.ts")).openDatabaseAdministration();
}

/** The agents that a file of the owner's exports; DrydockError `input.invalid` for one that can't be loaded in time. */
export async function loadAgents(file: string, options: LoadAgentsOptions = {}): Promise<AnyAgent[]> {
  return (await import("./agents/load-agents.ts")).loadAgents(file, options);
}

/** What a receipt proves, from its bytes alone, or compared with a directory. Needs no home. */
export async function verifyReceipt(bytes: Uint8Array, options: VerifyReceiptOptions = {}): Promise<ReceiptReport> {
  const { verifyReceiptBytes } = await import("./receipts/verify-receipt-bytes.ts");
  return (await verifyReceiptBytes(bytes, options)).report;
}

export { type AttemptView, type GoalView, loadGoalView, type TaskView } from "./goals/goal-view.ts";
export const loadCheckFiles = () => import("./verify/check-files.ts");
export const loadModelSettings = () => import("./models/config-models.ts");
export { digestToken } from "./tokens/digest-token.ts";
export const loadHttpTokens = () => import("./tokens/http-tokens.ts");
export const loadSignIns = () => import("./tokens/sign-ins.ts");
export const loadServerAddress = () => import("./tokens/server-address.ts");
export const loadIgnored = () => import("./runs/list-ignored.ts");
export const loadKeeper = () => import("./keeper/index.ts");
export const loadPlanFiles = () => import("./goals/plan-files.ts");
/** Writes on the owner's behalf into a repository of the owner's. */
export const loadNotes = () => import("./receipts/note-anchor.ts");
export const loadOwnerPolicy = () => import("./policies/owner-policy.ts");
/** @internal Its type names what is not published. */
export const loadRedactor = () => import("./runs/open-redactor.ts");
export const loadToolHost = () => import("./agents/tool-host.ts");
export { readAutorun } from "./deliveries/read-autorun.ts";
