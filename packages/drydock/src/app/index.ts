import type { ReceiptReport } from "@drydock/protocol";
import type { AnyAgent } from "../tasks/index.ts";
import type { LoadAgentsOptions } from "./agents-load.ts";
import type { OnEvents } from "./api/on-events.ts";
import type { VerifyReceiptOptions } from "./api/receipts.ts";
import type { WrapModel } from "./api/wrap-model.ts";
import type { Dock, DockOptions } from "./dock.ts";
import type { EarlyStart } from "./run-place.ts";

export type { LoadAgentsOptions } from "./agents-load.ts";
export type { CodeBlocks, RunBlockOptions } from "./api/code-blocks.ts";
export type { ApplyOptions, Delivered, Discarded, Reverted } from "./api/deliveries.ts";
export type {
  ApprovalDecision,
  CapabilityContext,
  CapabilityRecord,
  CapabilityTool,
  Extensions,
  InstallOptions,
  InstallPlan,
} from "./api/extensions.ts";
export type { GoalOptions, GoalResult, ResumeOptions } from "./api/goal-options.ts";
export type { Goals } from "./api/goals.ts";
export type { AddedModel, ModelList, ProviderInfo, RemovedModel, TestedModel } from "./api/models.ts";
export type { Anchored, Receipt, ReceiptOptions, VerifyReceiptOptions } from "./api/receipts.ts";
export type { ReplayOptions, ReplayResult } from "./api/replay.ts";
export type { ListedTask } from "./api/tasks.ts";
export type { DiskUsage, PruneReport } from "./clean-up/api.ts";
export { readConfig } from "./config.ts";
export type * from "./dock.ts";
export type { DoctorReport, Finding } from "./doctor.ts";
export type { KeeperClient, Rollback } from "./keeper/index.ts";
export { type EarlyStart, startSandboxEarly } from "./run-place.ts";

// A command should wait for the code that it needs, and for no other.

/** Opens a dock: the library's front door. The sandbox starts with the first run. */
export async function createDock(
  options: DockOptions & {
    early?: EarlyStart | null;
    wrapModel?: WrapModel;
    onEvents?: OnEvents;
    readsOnly?: boolean;
  } = {},
): Promise<Dock> {
  return (await import("./create-dock.ts")).createDock(options);
}

/** The agents that a file of the owner's exports; DrydockError `input.invalid` for one that can't be loaded in time. */
export async function loadAgents(file: string, options: LoadAgentsOptions = {}): Promise<AnyAgent[]> {
  return (await import("./agents-load.ts")).loadAgents(file, options);
}

/** What a receipt proves, from its bytes alone, or compared with a directory. Needs no home. */
export async function verifyReceipt(bytes: Uint8Array, options: VerifyReceiptOptions = {}): Promise<ReceiptReport> {
  const { verifyReceiptBytes } = await import("./receipts/verify-receipt-bytes.ts");
  return (await verifyReceiptBytes(bytes, options)).report;
}

export type { RunFindings } from "./api/records.ts";
export { type AttemptView, type GoalView, loadGoalView, type TaskView } from "./goal-view.ts";
export const loadCheckFiles = () => import("./check-files.ts");
export const loadModelSettings = () => import("./config-models.ts");
export { TOKEN_SCOPES, type TokenScope } from "./api/token-scopes.ts";
export { digestToken } from "./digest-token.ts";
export const loadHttpTokens = () => import("./http-tokens.ts");
export const loadIgnored = () => import("./list-ignored.ts");
export const loadKeeper = () => import("./keeper/index.ts");
export const loadPlanFiles = () => import("./plan-files.ts");
/** Writes on the owner's behalf into a repository of the owner's. */
export const loadNotes = () => import("./note-anchor.ts");
export const loadPolicyEditing = () => import("./edit-home-policy.ts");
export const loadPolicies = () => import("./policies.ts");
export const loadToolHost = () => import("./tool-host.ts");
export { readAutorun } from "./read-autorun.ts";
