import type { Readable } from "node:stream";
import type {
  ArtifactRef,
  CheckResult,
  ErrorInfo,
  EventPage,
  EventPageOptions,
  ListRunsOptions,
  PermissionDecision,
  PlanView,
  ReportFormat,
  Run,
  RunCount,
  RunCounts,
  RunEvent,
  RunFilter,
  RunHistory,
  RunHistoryOptions,
  RunSummary,
  StrengthEvidence,
} from "@drydock/protocol";
import type { OPERATIONS, OperationResponse } from "@drydock/protocol/http";
import { loadLater } from "../../base/lazy/index.ts";
import type { DeliveryView } from "../../engine/index.ts";
import type { AnswerInput } from "../../sandbox/index.ts";
import type { Deliveries } from "../deliveries/api.ts";
import type { Receipts } from "../receipts/api.ts";
import type { Replays } from "../replays/api.ts";
import type { RecordsPorts } from "./records.ts";

/** A piece of what the code prints, as it comes. */
export interface OutputChunk {
  stream: "stdout" | "stderr";
  text: string;
}

/** Standard input of the code: at once, or while it runs. */
export type Input = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** Standard input of code: as data, or a line each time that the code waits for one. */
export interface InputOptions {
  stdin?: Input;
  /**
   * Called each time that Python code waits for a line of its input, unless there is `stdin`. Null is the end of the input.
   * Without either, the input is empty.
   */
  onInput?: AnswerInput;
}

export interface WrittenRecords {
  directory: string;
  files: number;
  /** What could not be written, in one sentence; null where all is there. */
  warning: string | null;
}

export interface RunReportOptions {
  /** `html` (default): one self-contained page. `junit` and `sarif`: the checks, for tools that read these. */
  format?: ReportFormat;
  /** SARIF: the directory that paths are relative to, such as a repository's root. Default: the run's workspace. */
  root?: string;
}

/** What a run's verdict rests on, and what became of its changes. */
export interface RunFindings {
  /** Why it has its verdict, in one sentence; of a run that was lost: what that means. */
  reason: string;
  /** What it ended with: code, message and hint. Null where it did not fail, or was lost. */
  error: ErrorInfo | null;
  /** The last checks of each task, and those of the whole result. `task` is null for checks of a directory or of the whole. */
  checks: { task: string | null; title: string; result: CheckResult }[];
  strength: StrengthEvidence | null;
  /** `layer.applied`, `layer.reverted`, `layer.discarded`, in order. */
  deliveries: DeliveryView[];
  /** The run that it follows; null: none. */
  follows: string | null;
  /** What an agent asked permission for, and how that was answered, in order. */
  permissions: PermissionDecision[];
  /** The runs that follow it, the oldest first. */
  followedBy: string[];
}

export interface Records {
  /** What a run's verdict rests on: each check with its tests, its control, and what it proves. */
  findings(id: string): Promise<RunFindings>;
  /** What a run did and proved, as one file to be sent to somebody. */
  report(id: string, options?: RunReportOptions): Promise<string>;
  /** The plan of a goal's run. DrydockError `input.invalid` where it has none yet. */
  plan(id: string): Promise<PlanView>;
  /** The paths of the run's readable files, as `writeRecords` writes them. */
  records(id: string): Promise<string[]>;
  /** One of these files. DrydockError `input.invalid` where there is none at the path. */
  readRecord(id: string, path: string): Promise<Uint8Array>;
  /** Writes the run's readable directory; DRYDOCK_HOME/runs/ID where no other is named. */
  writeRecords(id: string, directory?: string): Promise<WrittenRecords>;
}

/** @internal */
export function openRecords(ports: RecordsPorts): Records {
  const later = loadLater(async () => (await import("./records.ts")).createRecords(ports));
  return {
    findings: later((records) => records.findings),
    report: later((records) => records.report),
    plan: later((records) => records.plan),
    records: later((records) => records.records),
    readRecord: later((records) => records.readRecord),
    writeRecords: later((records) => records.writeRecords),
  };
}

export interface FollowOptions {
  /** Only events after this number. Default: all events. */
  afterSeq?: number;
  signal?: AbortSignal;
}

export interface Runs extends Records, Deliveries, Receipts, Replays {
  /** The newest first, with what a list shows. */
  list(options?: ListRunsOptions): Promise<{ runs: RunSummary[]; cursor: string | null }>;
  /** How many runs fit, by kind, status and verdict. Of more than 100,000 the newest are counted. */
  counts(filter?: RunFilter): Promise<RunCounts>;
  /**
   * DrydockError `run.not_found` where there is none. Here, and wherever a run is only looked at, the id may be `last`: the
   * newest run. Newest of a kind or a workspace: `list({ limit: 1, kind, workspace })`.
   */
  get(id: string): Promise<Run>;
  /** How many runs of each kind there are in each status. */
  count(): Promise<Omit<RunCount, "verdict">[]>;
  /** Runs over time: how many were started in each period, how they ended, how long they took, and what they cost. */
  history(options?: RunHistoryOptions): Promise<RunHistory>;
  /** What ended it: code, message and hint. Null where nothing went wrong, or where it has not ended. */
  error(id: string): Promise<ErrorInfo | null>;
  /** The run's events after `afterSeq`, in order: all of them, or the first `limit`. */
  events(id: string, options?: { afterSeq?: number; limit?: number }): Promise<RunEvent[]>;
  /** What the code of a run that has not ended has printed so far, at most a second old; empty for one that has. */
  output(id: string): Promise<OperationResponse<(typeof OPERATIONS)["getRunOutput"]>>;
  /** One page of the run's events from either end. What it costs does not depend on how many the run has. */
  eventPage(id: string, options?: EventPageOptions): Promise<EventPage>;
  /** Events as they are recorded, by whichever process, each once and in order, until the run's terminal one. */
  follow(id: string, options?: FollowOptions): AsyncGenerator<RunEvent[]>;
  /**
   * Ends a run that is under way, in whatever process it is; it is over with its terminal event. DrydockError
   * `input.invalid` for one that has ended, or that can't be reached: its hint says who can end it.
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
