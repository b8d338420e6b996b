import type { Readable } from "node:stream";
import type {
  ArtifactRef,
  AuditReport,
  Check,
  CheckEntry,
  CheckResult,
  ExecRequest,
  ExecResult,
  Language,
  PolicyDocument,
  PythonTaskResult,
  PythonWorkflowResult,
  Run,
  RunEvent,
  SessionInfo,
  StrengthEvidence,
  Verification,
} from "@drydock/protocol";
import type { StrengthProgress } from "../engine/index.ts";
import type { ScanProgress } from "../sandbox/index.ts";
import type { AgentHost, PythonTaskOptions, PythonWorkflowOptions } from "../tasks/index.ts";
import type { Tasks } from "./backlog/api.ts";
import type { CleanUp } from "./clean-up/api.ts";
import type { Deliveries } from "./deliveries/api.ts";
import type { DoctorReport } from "./doctor/api.ts";
import type { Extensions } from "./extensions/api.ts";
import type { Goals } from "./goals/api.ts";
import type { Models } from "./models/api.ts";
import type { PolicyViews } from "./policies/policy-views.ts";
import type { Profiles } from "./profiles/api.ts";
import type { Anchored, Keys, Receipts } from "./receipts/api.ts";
import type { Records } from "./runs/api-records.ts";
import type { FollowOptions } from "./runs/follow-options.ts";
import type { CodeBlocks } from "./tasks/api.ts";

export interface OutputChunk {
  stream: "stdout" | "stderr";
  text: string;
}

/** What can be sent to the code: all at once, or while it runs. */
export type Input = string | Uint8Array | AsyncIterable<string | Uint8Array>;

export interface ExecOptions extends Omit<ExecRequest, "requirements"> {
  /** Python packages that the code finds: lines of a requirements.txt, or the path of one. */
  requirements?: string | readonly string[];
  stdin?: Input;
  signal?: AbortSignal;
  onOutput?: (chunk: OutputChunk) => void;
  /** Told while a workspace is read that was not seen before: how many entries, and how many files' contents. */
  onReading?: (progress: ScanProgress) => void;
  /** Called once the run is on record, before it waits for its turn. */
  onStarted?: (runId: string) => void;
  /** Lifts the Python guard to `off`; the sandbox stays as it is. */
  unsafe?: boolean;
  /** The run that this is a part of. */
  parentRunId?: string;
}

export interface StepOptions {
  /** The run that the step is a part of. */
  parentRunId?: string;
  signal?: AbortSignal;
  onOutput?: (chunk: OutputChunk) => void;
  policy?: PolicyDocument;
  unsafe?: boolean;
  /** Only looks at the state, to complete a name, say: whatever it does is undone, and it is no task of the session's. */
  look?: boolean;
}

export interface StepResult extends ExecResult {
  sessionId: string;
  step: number;
  kept: number[];
  /** Names and types of the variables after the step (Python). */
  variables: Record<string, string>;
}

export interface Session {
  readonly id: string;
  exec(code: string, options?: StepOptions): Promise<StepResult>;
  /** Returns to the state after step `to` (0: before the first); without it, to the one before the last. */
  rollback(to?: number): Promise<{ step: number; kept: number[]; notes: string[] }>;
  stats(): SessionInfo;
  close(): Promise<void>;
}

export interface SessionOptions {
  language?: Extract<Language, "python" | "node">;
  workspace?: string;
  policy?: PolicyDocument;
  /** Other defaults than the usual ones, held within the ceiling: a request for more than that would be refused. */
  preset?: PolicyDocument;
  /** Gives up opening it: a large workspace takes long to be read. It has no effect once the session is open. */
  signal?: AbortSignal;
  onReading?: (progress: ScanProgress) => void;
}

export interface SessionTotals {
  live: number;
  opened: number;
  closedIdle: number;
  steps: number;
  failedSteps: number;
}

export interface Sessions {
  open(options?: SessionOptions): Promise<Session>;
  /** DrydockError `session.not_found` where there is none. */
  get(id: string): Session;
  list(): SessionInfo[];
  totals(): SessionTotals;
}

export interface Runs extends Records, Deliveries, Receipts {
  list(options?: {
    limit?: number;
    cursor?: string;
    status?: Run["status"];
    kind?: Run["kind"];
    /** The workspace's whole path. */
    workspace?: string;
  }): Promise<{ runs: Run[]; cursor: string | null }>;
  /**
   * DrydockError `run.not_found` where there is none. Here, and wherever a run is only looked at, the id may be `last`: the
   * newest run. Newest of a kind or a workspace: `list({ limit: 1, kind, workspace })`.
   */
  get(id: string): Promise<Run>;
  events(id: string, options?: { afterSeq?: number }): Promise<RunEvent[]>;
  /** Events as they are recorded, by whichever process, each once and in order, until the run's terminal one. */
  follow(id: string, options?: FollowOptions): AsyncGenerator<RunEvent[]>;
  /**
   * Ends a run that is under way, in whatever process it is; it is over with its terminal event. DrydockError
   * `input.invalid` for one that has ended, or that nobody can reach: its hint says who can end it.
   */
  cancel(id: string): Promise<void>;
  /** What the run changed, as a unified diff. */
  diff(id: string): Promise<string>;
  artifacts(id: string): Promise<ArtifactRef[]>;
  readArtifact(id: string, range?: { start: number; end?: number }): Promise<Uint8Array>;
  /** What is known about an artifact; null where there is none. */
  findArtifact(id: string): Promise<(ArtifactRef & { runId: string }) | null>;
  streamArtifact(id: string, range?: { start: number; end?: number }): Promise<Readable>;
}

export interface Audit {
  /** `expect`: heads that were kept elsewhere (anchors, receipts, or a hash); the chain must still hold each of them. */
  verify(options?: { expect?: string }): Promise<AuditReport>;
  /** The end of the chain as it is now, signed, to be kept where nobody can change it together with the ledger. */
  anchor(): Promise<Anchored>;
  export(): AsyncIterable<string>;
}

export interface VerifyOptions {
  /**
   * Command lines that must end with status 0, or checks. Default: those of the workspace's `.drydock/checks.yaml`. What
   * the policy requires (`checks.required`) is judged in any case.
   */
  checks?: readonly CheckEntry[];
  /** The file that they were read from: reports name it where a check is about no other file. */
  checksFile?: string;
  /** The directory that is judged, as it stands. */
  workspace: string;
  policy?: PolicyDocument;
  signal?: AbortSignal;
  /** How far reading the directory is. */
  onReading?: (progress: ScanProgress) => void;
  /** Each check that runs something, when it begins. */
  onStart?: (check: Check) => void;
  /** Each result as soon as it is there. */
  onCheck?: (result: CheckResult) => void;
  /** Measures, once all checks passed, how many small faults in the source they notice. */
  strength?: StrengthOptions;
}

export interface StrengthOptions {
  /** Mutates only lines that changed since this git revision; without it, all source that is no test. */
  since?: string;
  /** At most so many mutants are tried. Default 100. */
  mutants?: number;
  /** Draws the sample where there are more. Default 1. */
  seed?: number;
  /**
   * The least share, from 0 to 1. Below it the verdict is `failed`; so it is where nothing could be measured although there is
   * something to mutate.
   */
  min?: number;
  /** What is not tried within this time is left out. Default 600. */
  budgetSeconds?: number;
  onProgress?: (progress: StrengthProgress) => void;
}

export interface VerifyResult extends Verification {
  runId: string;
  /** By all checks together; each check has its own figure. Only where it was asked for, and all checks passed. */
  strength?: StrengthEvidence;
  /** What everybody should know of it: what the checks found of the project's environment, and why not more. */
  notes: string[];
}

/** `AgentHost`: agents of the library are called on a dock. */
export interface Dock extends AgentHost {
  readonly home: string;
  exec(options: ExecOptions): Promise<ExecResult>;
  /** Judges a directory by checks. Rejects where that can't be done; whatever the checks find is a result. */
  verify(options: VerifyOptions): Promise<VerifyResult>;
  /**
   * Has a model write Python for an instruction, runs it in the sandbox, and sends failures back a bounded number of
   * times. Rejects for what can't be read; whatever the model, the code or the policy did is a result.
   */
  executePythonTask(instruction: string, options?: PythonTaskOptions): Promise<PythonTaskResult>;
  /** Several instructions, one after the other, on one state. What a failed step did is taken back. */
  executePythonWorkflow(
    instructions: readonly string[],
    options?: PythonWorkflowOptions,
  ): Promise<PythonWorkflowResult>;
  /** The code that tasks, workflows and agents wrote. */
  readonly blocks: CodeBlocks;
  readonly sessions: Sessions;
  readonly goals: Goals;
  readonly tasks: Tasks;
  /** Declared capabilities: what they are, and doing what they declare. */
  readonly extensions: Extensions;
  readonly runs: Runs;
  readonly profiles: Profiles;
  readonly policies: PolicyViews;
  readonly models: Models;
  readonly audit: Audit;
  /** What receipts and anchors are signed with. */
  readonly keys: Keys;
  doctor(): Promise<DoctorReport>;
  /** Removes old runs and environments. The ledger keeps a checkpoint, so that the audit still holds and says so. */
  prune: CleanUp["prune"];
  /** What takes how much of the home. */
  diskUsage: CleanUp["diskUsage"];
  close(): Promise<void>;
}

export interface DockOptions {
  /** Where all state lives. Default: DRYDOCK_HOME, else ~/.drydock. */
  home?: string;
  /** The Python to use. Default: the first python3 on the PATH that an unprivileged user can read. */
  python?: string;
  /** How many members wait for the next run, per kind. Default: 8; 0 makes each one when it is asked for. */
  warm?: number;
}
