import type { ExecResult, PythonTaskResult, PythonWorkflowResult } from "@drydock/protocol";
import type { AgentHost, PythonTaskOptions, PythonWorkflowOptions } from "../tasks/index.ts";
import type { Tasks } from "./backlog/api.ts";
import type { CleanUp } from "./clean-up/api.ts";
import type { DoctorReport } from "./doctor/api.ts";
import type { ExecOptions } from "./execute/api.ts";
import type { Extensions } from "./extensions/api.ts";
import type { Goals } from "./goals/api.ts";
import type { Models } from "./models/api.ts";
import type { PolicyViews } from "./policies/api.ts";
import type { Profiles } from "./profiles/api.ts";
import type { Audit, Keys } from "./receipts/api.ts";
import type { Runs } from "./runs/api.ts";
import type { Sessions } from "./sessions/api.ts";
import type { CodeBlocks } from "./tasks/api.ts";
import type { VerifyOptions, VerifyResult } from "./verify/api.ts";

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
  /** How much space each part of the home takes. */
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
