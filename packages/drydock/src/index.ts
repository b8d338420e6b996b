import { createDock } from "./app/index.ts";
import { createAgents, createReadyMade } from "./tasks/index.ts";

export {
  type AgentInfo,
  type AgentToolCall,
  type Approval,
  type ArtifactRef,
  type Attachment,
  type AuditReport,
  type CapabilityOutcome,
  type Change,
  type Check,
  type CheckEntry,
  type CheckResult,
  type CodeAttempt,
  type CodeBlock,
  type CommandRoute,
  DrydockError,
  type ErrorCode,
  type ErrorInfo,
  EXIT_STATUS,
  type ExecResult,
  type ExecutedCode,
  type ExtensionProblem,
  type InstalledExtension,
  type Plan,
  type PlanTask,
  type PolicyDocument,
  type PythonTaskResult,
  type PythonWorkflowResult,
  type ResponseInfo,
  type Run,
  type RunEvent,
  type SessionInfo,
  type TaskContext,
  type Verification,
  type WorkflowStepResult,
} from "@drydock/protocol";
export {
  type ApprovalDecision,
  type CapabilityContext,
  type CapabilityTool,
  type CodeBlocks,
  createDock,
  type Dock,
  type DockOptions,
  type DoctorReport,
  type ExecOptions,
  type Extensions,
  type GoalOptions,
  type GoalResult,
  type Goals,
  type InstallOptions,
  type InstallPlan,
  type LoadAgentsOptions,
  loadAgents,
  type ReplayOptions,
  type ReplayResult,
  type ResumeOptions,
  type RunBlockOptions,
  type Session,
  type SessionOptions,
  type StepResult,
  type VerifyOptions,
  type VerifyResult,
} from "./app/index.ts";
export type { CapabilityCall, CapabilityRunner, RunnerOutcome, RunnerPorts } from "./extensions/index.ts";
export { type DrydockServer, type HttpLimits, type ServeOptions, serve } from "./surfaces/index.ts";
export {
  type Agent,
  type AgentCallOptions,
  type AgentDefinition,
  type AgentHooks,
  type AgentHost,
  type AgentResult,
  type AgentStreamEvent,
  type AgentTool,
  type AttachedFile,
  type CapabilityOptions,
  capability,
  describeAgent,
  type Executed,
  type ExecuteSettings,
  type FunctionTool,
  type McpServerSpec,
  mcpServer,
  type PythonTaskOptions,
  type PythonWorkflowOptions,
  type TaskProgress,
  type ToolContext,
  type ToolSource,
} from "./tasks/index.ts";

/**
 * `agent` defines a typed function that a model carries out. It is called on the dock that `agents.use` names, else on
 * one that is opened with the first call and that `agents.close` closes.
 */
export const { agent, agents } = /* @__PURE__ */ createAgents(() => createDock());

/** Ready-made agents: code for a task, run in the sandbox or only written. */
export const { executeCode, generateCode } = /* @__PURE__ */ createReadyMade(agent);
