import type { MessageChunk, RunContext } from "@drydock/protocol/runner";
import { attendRun } from "./attend-run.ts";
import { createHostApi } from "./host-api.ts";
import type { Peer } from "./open-peer.ts";
import type { Runner, RunnerContext } from "./runner.ts";
import { RunCancelled } from "./runner-error.ts";

/** How long the runs get to end by themselves when all of them are cancelled. */
const GRACE_MS = 1000;

/** The runs of one connection, each on a channel that the host names. */
export interface Runs {
  has(channel: string): boolean;
  /** Resolves when the runner has returned. */
  start(runner: Runner, channel: string, context: RunContext): Promise<void>;
  /** A run that has ended meanwhile has nothing to cancel. */
  cancel(channel: string, reason: string): void;
  cancelAll(reason: string): Promise<void>;
  takeChunk(streamId: string, chunk: MessageChunk): void;
}

export function createRuns(peer: Peer, warn: (text: string) => void): Runs {
  const runs = new Map<string, { abort: AbortController; end: Promise<void> }>();
  const listeners = new Map<string, (chunk: MessageChunk) => void>();
  const port = {
    call: peer.call,
    listen(streamId: string, listener: (chunk: MessageChunk) => void) {
      listeners.set(streamId, listener);
      return () => listeners.delete(streamId);
    },
  };

  async function run(runner: Runner, channel: string, context: RunContext, signal: AbortSignal): Promise<void> {
    const { run_id: runId, runtime } = context;
    const ctx: RunnerContext = {
      ...context,
      signal,
      log: (message, level = "info") => peer.notify("log", { level, message }),
    };
    // What the runner left behind has no rights any more when the run has ended.
    const end = new AbortController();
    const api = createHostApi({
      ...{ runId, deadlineAt: runtime.deadline_at, port },
      signal: AbortSignal.any([signal, end.signal]),
    });
    await attendRun(runner, ctx, api, {
      send: (result) => peer.notify("run.result", { channel, result }),
      warn: (text) => warn(`${runId}: ${text}`),
    });
    end.abort(new RunCancelled("it has ended"));
  }

  return {
    has: (channel) => runs.has(channel),
    async start(runner, channel, context) {
      const abort = new AbortController();
      const end = run(runner, channel, context, abort.signal);
      runs.set(channel, { abort, end });
      await end.finally(() => runs.delete(channel));
    },
    cancel: (channel, reason) => runs.get(channel)?.abort.abort(new RunCancelled(reason)),
    async cancelAll(reason) {
      const open = [...runs.values()];
      for (const { abort } of open) abort.abort(new RunCancelled(reason));
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, GRACE_MS);
      await Promise.race([Promise.all(open.map(({ end }) => end)), late.promise]);
      clearTimeout(timer);
    },
    takeChunk: (streamId, chunk) => listeners.get(streamId)?.(chunk),
  };
}
