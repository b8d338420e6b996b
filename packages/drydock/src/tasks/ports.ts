import type { ArtifactRef, Change, CheckResult, ErrorInfo, Language, Verdict } from "@drydock/protocol";
import type { AskPorts } from "../models/index.ts";
import type { OnProgress } from "./progress.ts";

/** How one execution ended. What the code, the policy or a limit did is a result. */
export interface ExecutionResult {
  /** The state of the session after it, where it has one. */
  step?: number;
  ok: boolean;
  /** Null where it never began. */
  runId: string | null;
  output: string;
  stderr: string;
  result: unknown;
  error: ErrorInfo | null;
  variables: Record<string, string>;
  artifacts: ArtifactRef[];
  changes: Change[];
  notes: string[];
  durationMs: number;
}

export interface Judgement {
  verdict: Verdict;
  checks: CheckResult[];
}

/** The one door, as tasks see it: one place to run code in, with a state or without. */
export interface Stage {
  readonly language: Language;
  run(code: string): Promise<ExecutionResult>;
  /** Holds the work directory against the checks. */
  judge?(): Promise<Judgement>;
  /** Takes back what the last execution did; where there is no state, nothing. */
  undo(): Promise<void>;
}

/** Everything that tasks, workflows and agents work with; app plugs it in. */
export interface TaskPorts extends AskPorts {
  signal: AbortSignal;
  onProgress: OnProgress;
}
