import type { DrydockError, ErrorInfo, Layer, SandboxReport, Usage } from "@drydock/protocol";
import type { Observed } from "./members/transcript.ts";
import { type NetworkUse, noNetworkUse } from "./network-use.ts";

/** The result of one execution. Every use case starts from this shape, and records or returns a part of it. */
export interface Outcome {
  stdout: Buffer;
  stderr: Buffer;
  /** The value of `result`, or of the last expression. */
  result: unknown;
  error: ErrorInfo | null;
  /** Null where the code did not exit by itself. */
  exitCode: number | null;
  usage: Usage;
  /** The changes to the workspace, cumulative where the run started from a layer. */
  layer: Layer;
  /** Contents of changed files by hash: the bytes, or the path of a spooled file. */
  contents: ReadonlyMap<string, Buffer | string>;
  figures: readonly { name: string; bytes: Buffer }[];
  network: NetworkUse;
  sandbox: SandboxReport;
  /** With `observe`: the programs that ran, and the paths they used. */
  observed?: Observed;
  /** Beside `observed`: paths of the workspace that it wrote to or replaced, also where nothing came of it, and what its base brought. */
  touched?: string[];
  notes: string[];
  /** The notes about how the run was set up, which are the same for every run of the workspace. */
  setupNotes: readonly string[];
}

export const NO_USAGE: Usage = { wallMs: 0, cpuMs: 0, peakMemoryBytes: 0 };

/** The outcome of work that never started. */
export function refusedOutcome(
  error: DrydockError,
  { workspace = null, layer }: { workspace?: string | null; layer?: Layer | null } = {},
): Outcome {
  const nothing = Buffer.alloc(0);
  return {
    stdout: nothing,
    stderr: nothing,
    result: null,
    error: error.toInfo(),
    exitCode: null,
    usage: NO_USAGE,
    layer: layer ?? emptyLayer(workspace),
    contents: new Map(),
    figures: [],
    network: noNetworkUse(),
    sandbox: { backend: "namespaces", level: "none" },
    notes: [],
    setupNotes: [],
  };
}

function emptyLayer(workspace: string | null): Layer {
  return { version: 1, workspace, baseHash: "", treeHash: "", entries: [], changedUnderneath: [], denied: [] };
}
