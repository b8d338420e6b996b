import type {
  Approval,
  ApprovalStatus,
  CapabilityOutcome,
  CapabilityRecord,
  CapabilityTool,
  CommandRoute,
  ExtensionProblem,
  InstalledExtension,
  ListCapabilitiesOptions,
  PolicyDocument,
  QueuedCall,
  ResponseInfo,
  ResponseTotals,
} from "@drydock/protocol";
import type { CapabilityRunner, RegistryChanges } from "../../extensions/index.ts";

export type { InstallOptions } from "../../extensions/index.ts";

/** What a person decided about one action, and why. */
export interface ApprovalDecision {
  approved: boolean;
  by?: string;
  reason?: string;
}

export interface CapabilityContext {
  /** The conversation whose responses are kept and can be used. Default: `default`. */
  session?: string;
  /** On whose behalf. Default: `owner`. */
  user?: string;
  /** A directory whose files the command may use, as far as the extension's permissions go. */
  workspace?: string;
  policy?: PolicyDocument;
  /** For analyses by a model; default: the configured one, if any. */
  model?: string;
  /**
   * How a person approves a risky call. Default `deny`: such calls are refused. `wait`: the run waits for a decision.
   */
  approval?: "deny" | "wait" | ((approval: Approval) => Promise<ApprovalDecision>);
  signal?: AbortSignal;
  onOutput?: (chunk: { stream: "stdout" | "stderr"; text: string }) => void;
  /** Called when it has to wait for its turn; 1 is next. */
  onQueued?: (position: number) => void;
  onStarted?: (runId: string) => void;
  parentRunId?: string;
}

export interface Completion {
  /** The whole word as it should read. */
  word: string;
  description: string;
}

export interface Responses {
  last(session: string): Promise<(ResponseInfo & { text: string }) | null>;
  history(session: string, options?: { limit?: number }): Promise<ResponseInfo[]>;
  read(id: string): Promise<(ResponseInfo & { text: string }) | null>;
  totals(session?: string): Promise<ResponseTotals>;
  clear(session: string): Promise<number>;
}

export interface Approvals {
  list(options?: { status?: ApprovalStatus }): Promise<Approval[]>;
  get(id: string): Promise<Approval>;
  /** Approves the call, and executes it. */
  approve(
    id: string,
    decision?: { by?: string; reason?: string },
    context?: CapabilityContext,
  ): Promise<CapabilityOutcome>;
  deny(id: string, decision?: { by?: string; reason?: string }): Promise<Approval>;
}

/** Stands for the extension in approvals of what the host's agents ask for. */
export const HOST_EXTENSION = "host";

/** Actions of the host's agents that wait for an approval like calls of extensions. */
export interface HostActions {
  /**
   * How an approved action is done; null for an approval of something else. Rejects where this process can't do it, so that
   * nothing is decided that would not be done.
   */
  prepare(approval: Approval): Promise<((context: CapabilityContext) => Promise<CapabilityOutcome>) | null>;
  isExpired(approval: Approval): Promise<boolean>;
  /** Somebody denied it, or nobody decided in time. The run that asked for it hears of that. */
  onDenied(approval: Approval): Promise<void>;
}

export interface Secrets {
  set(name: string, value: string): Promise<void>;
  /** Names only. */
  list(): Promise<string[]>;
  remove(name: string): Promise<boolean>;
}

export interface Extensions extends RegistryChanges {
  list(): Promise<InstalledExtension[]>;
  /** DrydockError `extension.not_found` where there is none. */
  get(id: string): Promise<InstalledExtension & { usage: string; directory: string }>;
  lint(directory: string): Promise<ExtensionProblem[]>;
  /** Writes a new extension to start from; returns its directory. */
  scaffold(name: string, options?: { directory?: string }): Promise<string>;
  /**
   * `/command action …`, piped with `|` where one works on what another gave, or the same as data. Whatever the words,
   * the policy or the tool did is an outcome.
   */
  execute(route: string | CommandRoute, context?: CapabilityContext): Promise<CapabilityOutcome>;
  /** What could stand where the line ends. */
  complete(line: string): Promise<Completion[]>;
  /** Help for an extension's command or action; without words, for all. */
  help(words?: readonly string[]): Promise<string>;
  tools(): Promise<CapabilityTool[]>;
  /** `name` has two parts, like `house.lights`; those that come with Drydock can't be replaced. */
  registerRunner(name: string, runner: CapabilityRunner): void;
  readonly queue: { list(): QueuedCall[]; cancel(runId: string): boolean };
  readonly responses: Responses;
  readonly approvals: Approvals;
  readonly secrets: Secrets;
  /** Executions, newest first. */
  history(options?: ListCapabilitiesOptions): Promise<{ runs: CapabilityRecord[]; cursor: string | null }>;
}
