import type { ReplayResult } from "@drydock/protocol";
import type { Track } from "../runs/track-calls.ts";
import type { ReplayPorts } from "./replayer.ts";

export interface ReplayOptions {
  /** A directory in the state in which the run found its own. Default: the run's workspace. */
  workspace?: string;
  /** Whether the replay may use the network, as far as the run's own policy and today's allow it. Default: no. */
  network?: boolean;
  signal?: AbortSignal;
}

export interface Replays {
  /**
   * Executes a run again from its record, in fresh sandboxes, and compares. No model and no person is asked, nothing is
   * delivered. Every difference is a result, the cause first. DrydockError `run.not_found` where there is no such run,
   * `input.invalid` for one that has not ended or whose record lacks something, `policy.network_denied` for one that needs
   * `network`.
   */
  replay(id: string, options?: ReplayOptions): Promise<ReplayResult>;
}

/** @internal */
export function createReplays(ports: ReplayPorts, track: Track): Replays {
  return {
    replay: (id, options = {}) =>
      track(options.signal, async (signal) => {
        const { replayRun } = await import("./replay-run.ts");
        return replayRun(ports, id, { ...options, signal });
      }),
  };
}
