import type { ReplayResult } from "@drydock/protocol";
import type { LiveExtensions } from "../extensions/index.ts";
import type { LiveAgentHost } from "../host/index.ts";
import type { RecordedRun } from "../runs/recorded/recorded-run.ts";
import type { PythonTaskPorts } from "../tasks/index.ts";
import type { ReplayOptions } from "./api.ts";

/** What replays need: all that runs of any kind do. */
export interface ReplayPorts extends PythonTaskPorts {
  extensions: LiveExtensions;
  host: Pick<LiveAgentHost, "replayRunner">;
  home: string;
  /** `PATH`. */
  searchPath: string;
}

export interface ReplayRequest extends ReplayOptions {
  signal: AbortSignal;
  /** The replay that this one is a part of. */
  parentRunId?: string;
}

/** What came of it, before the record itself is taken into account. */
export type Replayed = Pick<ReplayResult, "runId" | "verdict" | "treeHash" | "steps" | "divergences" | "notes">;

export type Replayer = (ports: ReplayPorts, recorded: RecordedRun, request: ReplayRequest) => Promise<Replayed>;
