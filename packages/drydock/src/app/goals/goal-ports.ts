import type { RunEvent } from "@drydock/protocol";
import type { Recorder } from "../../engine/index.ts";
import type { ApplyOptions, Delivered } from "../deliveries/api.ts";
import type { ModelSettings, OwnerDefaults } from "../models/index.ts";
import type { ExecPorts } from "../runs/exec-ports.ts";

/** What goals need beyond what executions do. */
export interface GoalPorts extends ExecPorts {
  /** Read when a run starts: a key may have been set since. */
  readModelSettings(model: string | undefined): Promise<ModelSettings>;
  /** Read when a run starts, too. */
  readDefaults(): Promise<OwnerDefaults>;
  /** Where the owner's own prompt templates are. */
  promptsDirectory: string;
  /** Where records of checks on untouched trees are kept. */
  recordsDirectory: string;
  /** The interpreter that runs find inside. */
  findPython(): string;
  approvedProfile(workspace: string): Promise<string | null>;
  readEvents(runId: string): Promise<RunEvent[]>;
  openRecorder(runId: string, past: readonly RunEvent[]): Promise<Recorder>;
  /** Rejects where no new branch of this name can be made in the workspace. */
  checkBranch(workspace: string, branch: string): Promise<void>;
  apply(runId: string, options: ApplyOptions): Promise<Delivered>;
}
