import type {
  Change,
  CheckEntry,
  CheckResult,
  ErrorInfo,
  PermissionDecision,
  PolicyDocument,
  Verdict,
} from "@drydock/protocol";
import { loadLater } from "../../base/lazy/index.ts";
import type { Mount, NetworkUse, ScanProgress, TerminalSize } from "../../sandbox/index.ts";
import type { Delivered } from "../deliveries/api.ts";
import type { Input, OutputChunk } from "../runs/api.ts";
import type { Track } from "../runs/track-calls.ts";
import type { WrapPorts } from "./wrap-ports.ts";

/** The terminal that somebody sits at. */
export interface WrapTerminal extends TerminalSize {
  /** Shows what the program prints, byte by byte. Resolves when it is shown: the program waits for that. */
  show(bytes: Buffer): Promise<void>;
}

/** A moment of a wrapped program that its files can return to. */
export interface Checkpoint {
  number: number;
  at: string;
  /** `start`, `turn`, `asked`, `interval`, `rewind` (what was there before one) or `end`. */
  reason: string;
  treeHash: string;
  /** How many paths differ from the workspace. */
  entries: number;
}

/** A wrapped program that is under way, for who sits at it. */
export interface WrapHandle {
  readonly runId: string;
  resize(size: TerminalSize): void;
  /** The terminal is gone: the program hears of it as usual (SIGHUP), and is ended a little later. */
  hangUp(): void;
  /** Keys were typed: a turn may have begun. */
  noteInput(bytes: Uint8Array): void;
  checkpoint(): Promise<Checkpoint>;
  /** A turn is over: the checkpoint of its files, a new one if they changed. */
  endTurn(): Promise<Checkpoint>;
  /** Back to a checkpoint; without a number, to the last one that is not what the files are now. */
  rewind(to?: number): Promise<Checkpoint>;
  /** Puts on record how a permission was answered that the program asked for. */
  notePermission(decision: PermissionDecision): Promise<void>;
}

/** What is known when the program has ended and its checks were made: a person decides on this, once. */
export interface WrapReview {
  runId: string;
  workspace: string;
  verdict: Verdict;
  /** Why, in one sentence. */
  reason: string;
  changes: Change[];
  checks: CheckResult[];
  network: NetworkUse;
  /** What else there is to know: the use of upstreams, another wrap on the workspace. */
  notes: string[];
  /** Why it can't be applied at all; null: it can be. */
  refusal: string | null;
}

export type WrapDecision = "apply" | "keep" | "discard";

export interface WrapOptions {
  /** The program and its arguments. */
  command: readonly string[];
  workspace: string;
  policy?: PolicyDocument;
  /** Checks beside those of the policy and of the workspace. */
  checks?: readonly CheckEntry[];
  /** Globs of tests and their settings that the program may change. */
  mayChange?: readonly string[];
  /** The run whose changes it starts from, and the checkpoint of it. Default: none, and the last. */
  from?: string;
  fromCheckpoint?: number;
  /** The name of its home. Default: that of the program. */
  home?: string;
  /** Variables of the caller that it gets, by name or as `NAME=VALUE`. */
  environment?: readonly string[];
  /** With it, the program has a terminal; without it, pipes. */
  terminal?: WrapTerminal;
  stdin?: Input;
  /** @internal Python code of Drydock's own that starts the program inside, and speaks with the caller in its place. */
  adapter?: string;
  /** @internal The agent of the host that it is started for, and the run of its runner. */
  harness?: { agent: string; conversation: string | null; parentRunId: string };
  /** @internal Directories that it finds read-only, beside its own program. */
  mounts?: readonly Mount[];
  onOutput?: (chunk: OutputChunk) => void;
  onReading?: (progress: ScanProgress) => void;
  /** Called once the program can be typed to. */
  onReady?: (handle: WrapHandle) => void;
  /** The program has ended; checks, if there are any, begin. */
  onEnded?: (end: { exitCode: number | null; changes: number; checks: number }) => void | Promise<void>;
  onCheck?: (result: CheckResult) => void;
  /** What becomes of the changes. Default: they are kept. */
  decide?: (review: WrapReview) => Promise<WrapDecision>;
  /** Files that other programs execute by themselves: whether they may be delivered, too. Default: no. */
  confirmAutorun?: (error: ErrorInfo) => Promise<boolean>;
  signal?: AbortSignal;
}

export interface WrapResult extends Omit<WrapReview, "workspace"> {
  /** Of the program; null where a signal or a limit ended it, or it never started. */
  exitCode: number | null;
  /** The signal that ended the program. */
  exitSignal: string | null;
  error: ErrorInfo | null;
  treeHash: string | null;
  checkpoints: number;
  delivery: "applied" | "kept" | "discarded" | "nothing";
  /** What was delivered, if something was. */
  delivered: Delivered | null;
  /** Why what should have been delivered was not. */
  deliveryError: ErrorInfo | null;
}

export interface Wraps {
  /** Runs a program in the sandbox on a layer of the workspace, until it ends; then checks, a decision, a delivery. */
  run(options: WrapOptions): Promise<WrapResult>;
  /** The checkpoints of a wrap, oldest first. */
  checkpoints(runId: string): Promise<Checkpoint[]>;
  /** Has a wrap that is under way, in whatever process, make a checkpoint. */
  checkpoint(runId: string, options?: { signal?: AbortSignal }): Promise<Checkpoint>;
  /**
   * Has a wrap that is under way return to a checkpoint. One that has ended is not changed: a new run gets the files of the
   * checkpoint, and is judged by the same checks.
   */
  rewind(
    runId: string,
    to?: number,
    options?: { signal?: AbortSignal; onCheck?: WrapOptions["onCheck"] },
  ): Promise<{ runId: string; checkpoint: Checkpoint; result: WrapResult | null }>;
  /** The wrap that is meant where none is named: the newest of the workspace that is under way, else the newest. */
  find(options: { workspace?: string; isRunning?: boolean }): Promise<string | null>;
}

/** @internal */
export function createWraps(ports: WrapPorts, track: Track): Wraps {
  const load = loadLater(async () => (await import("./wrap-actions.ts")).createWrapActions(ports));
  const find = load((actions) => actions.find);
  const checkpoints = load((actions) => actions.checkpoints);
  const checkpoint = load((actions) => actions.checkpoint);
  const rewind = load((actions) => actions.rewind);
  return {
    run: (options) =>
      track(options.signal, async (signal) => (await import("./run-wrap.ts")).runWrap(ports, { ...options, signal })),
    find,
    checkpoints,
    checkpoint: (runId, options = {}) => track(options.signal, (signal) => checkpoint(runId, { signal })),
    rewind: (runId, to, options = {}) => track(options.signal, (signal) => rewind(runId, to, { ...options, signal })),
  };
}
