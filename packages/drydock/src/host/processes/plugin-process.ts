import { randomBytes } from "node:crypto";
import { DrydockError } from "@drydock/protocol";
import {
  ApiError,
  HOST_METHODS,
  HOST_NOTIFICATIONS,
  type PLUGIN_NOTIFICATIONS,
  PLUGIN_REQUESTS,
  RUNNER_PROTOCOL_VERSIONS,
  type RunContext,
  type RunnerDiscovery,
} from "@drydock/protocol/runner";
import { untilAborted } from "../../base/waiting/index.ts";
import { createMeter } from "../access/create-meter.ts";
import type { OpenLink } from "../channel/link.ts";
import { openChannel } from "../channel/open-channel.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { readRunners } from "../plugins/read-runners.ts";
import type { Notice } from "../warnings.ts";

/*
 * starting ──► ready ──► ended       by itself, by a fault against the protocol, by `stop`, or by a limit of the sandbox
 *
 * One process serves any number of runs at once. What it may call is decided by the runs that it was given: a call that names
 * another run is refused, whatever the caller says about itself.
 */
export interface PluginProcess {
  readonly plugin: Plugin;
  readonly runners: readonly RunnerDiscovery[];
  /** What was wrong with runners that can't be used. */
  readonly warnings: readonly string[];
  readonly openRuns: number;
  /** Runs that have ended by a result, and whose runner has not returned in the time that it had for that. */
  readonly hungRuns: number;
  /** Characters that it has sent, beside the protocol as well. */
  readonly receivedChars: number;
  /**
   * Resolves when the runner has returned, also where it was cancelled before; rejects with `runner.channel_lost` where the
   * process ends first.
   */
  run(request: RunnerCall): Promise<void>;
  /** Why it ended; null while it runs. */
  ended(): DrydockError | null;
  /** Resolves when it has ended. */
  readonly end: Promise<void>;
  ping(signal: AbortSignal): Promise<void>;
  notify(method: keyof typeof PLUGIN_NOTIFICATIONS, params: object): void;
  /** Asks it to go, and ends it where it does not. */
  stop(): Promise<void>;
  /** Ends it at once. */
  kill(reason: string): Promise<void>;
}

export interface RunnerCall {
  runId: string;
  runnerId: string;
  runnerName: string;
  context: RunContext;
  /** Cancels: the runner is told, and what it sends or calls afterwards is dropped. */
  signal: AbortSignal;
  /** Aborted when the run has ended: the runner has to return soon. */
  over?: AbortSignal;
  onResult(result: unknown): void;
  /** A call of the host API for this run. */
  onCall(method: string, params: Record<string, unknown>): Promise<unknown>;
  /** The process made a call for a run that it does not have, while it had this one. */
  onRefused(method: string): Promise<void>;
}

export interface PluginProcessOptions {
  plugin: Plugin;
  version: string;
  startMs: number;
  /** A runner has this long to return after the end of its run. */
  returnMs?: number;
  openLink: OpenLink;
  /** The process named a run that it does not have. */
  onRefused(notice: Notice): void;
  /** What the process says beside the protocol: its stderr, and its log. */
  onLog?(text: string): void;
}

const MAX_STDERR_CHARS = 4000;
const SHOWN_STDERR_CHARS = 600;
const GRACE_MS = 1000;
export const RETURN_MS = 10_000;
/** All runs of a process together. Each run has a limit of its own as well, far below it. */
const CALLS_PER_SECOND = 2000;
/** A process that goes on with forged calls does not fill the record. */
const RECORDED_REFUSALS = 100;

/** Starts the process of a plugin and asks for its runners. Nothing stays behind where that fails. */
export async function startPluginProcess(options: PluginProcessOptions): Promise<PluginProcess> {
  const { plugin } = options;
  const calls = new Map<string, RunnerCall>();
  const hung = new Set<string>();
  let stderr = "";
  let receivedChars = 0;
  let failure: DrydockError | null = null;
  let isStopping = false;
  const takeTurn = createMeter(CALLS_PER_SECOND);
  let refusals = 0;

  const refuse = (text: string, claimed: unknown) => {
    const runId = typeof claimed === "string" ? claimed : null;
    options.onRefused({ kind: "refused", source: plugin.id, text, runId });
  };
  const log = (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR_CHARS);
    options.onLog?.(text);
  };
  const link = options.openLink({
    onText(text, isWhole) {
      receivedChars += text.length;
      if (!failure) channel.receive(text, isWhole);
    },
    onLog(text) {
      receivedChars += text.length;
      log(text);
    },
  });
  const fail = (message: string) => {
    failure ??= processError(plugin, message, stderr);
    link.abort();
  };
  const channel = openChannel(link, HOST_METHODS, {
    onFault: fail,
    async onCall(method, params) {
      if (!takeTurn()) throw new ApiError("rate_limited", "The plugin makes too many calls.", { retryable: true });
      const { run_id, ...rest } = Object(params) as Record<string, unknown>;
      // Only a run that this very process was given.
      const call = [...calls.values()].find(({ runId }) => runId === run_id);
      if (call) return call.onCall(method, rest);
      refuse(`${plugin.id} called ${method} for a run that it does not have.`, run_id);
      if (++refusals <= RECORDED_REFUSALS) {
        // It is on record with what the process was doing: the run that it named is not its own to write to.
        for (const own of calls.values()) await own.onRefused(method).catch(() => {});
      }
      throw noSuchRun();
    },
    onNotification(method, params) {
      if (method === "log") return log(readLog(params));
      if (method !== "run.result") return;
      const read = HOST_NOTIFICATIONS["run.result"].safeParse(params);
      // The envelope is judged by whoever reads the run: a result without a type is a fault of the run, not of the process.
      const { channel: id, result } = read.success
        ? read.data
        : (Object(params) as { channel?: unknown; result?: unknown });
      const call = typeof id === "string" ? calls.get(id) : undefined;
      if (call) call.onResult(result);
      else refuse(`${plugin.id} sent a result for a run that it does not have.`, Object(result).run_id);
    },
  });
  const end = link.ended.then((message) => {
    failure ??= processError(plugin, isStopping ? "The process was stopped." : message, stderr);
    channel.close(failure.message);
  });

  const close = async () => {
    isStopping = true;
    channel.notify("shutdown", {});
    link.finish();
    const late = setTimeout(() => link.abort(), GRACE_MS);
    await end;
    clearTimeout(late);
  };
  const ask = (method: "initialize" | "ping", params: object, signal: AbortSignal) => {
    return untilAborted(channel.request(method, params), signal);
  };

  try {
    const late = AbortSignal.timeout(options.startMs);
    const answer = PLUGIN_REQUESTS.initialize.result.parse(await ask("initialize", greet(options.version), late));
    if (!(RUNNER_PROTOCOL_VERSIONS as readonly string[]).includes(answer.protocol_version)) {
      const known = RUNNER_PROTOCOL_VERSIONS.join(" or ");
      throw new Error(`It speaks version ${answer.protocol_version} of the protocol, and this host version ${known}.`);
    }
    const { runners, warnings } = readRunners(plugin, answer.runners);
    return {
      ...{ plugin, runners, warnings, end, stop: close },
      get openRuns() {
        return calls.size;
      },
      get hungRuns() {
        return hung.size;
      },
      get receivedChars() {
        return receivedChars;
      },
      async kill(reason) {
        fail(reason);
        await end;
      },
      ended: () => failure,
      notify: channel.notify,
      async ping(signal) {
        PLUGIN_REQUESTS.ping.result.parse(await ask("ping", {}, signal));
      },
      run: (call) => runOn({ calls, hung, channel, failure: () => failure, ...options }, call),
    };
  } catch (error) {
    const reason = failure ?? processError(plugin, describeStart(error, options.startMs), stderr);
    link.abort();
    await end;
    throw reason;
  }
}

interface Running {
  calls: Map<string, RunnerCall>;
  hung: Set<string>;
  channel: ReturnType<typeof openChannel>;
  failure(): DrydockError | null;
  returnMs?: number;
}

async function runOn(
  { calls, hung, channel, failure, returnMs = RETURN_MS }: Running,
  call: RunnerCall,
): Promise<void> {
  const id = `ch_${randomBytes(12).toString("hex")}`;
  const { runnerId: runner_id, runnerName: runner_name, context, signal, over } = call;
  signal.throwIfAborted();
  calls.set(id, call);
  /** From here on the process has no rights of this run any more, and what it sends is dropped. */
  const cancel = () => {
    calls.delete(id);
    channel.notify("run.cancel", { channel: id, reason: "cancelled" });
  };
  signal.addEventListener("abort", cancel, { once: true });
  /** It does not keep the process busy any longer. */
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => {
    if (calls.delete(id)) hung.add(id);
  };
  const expectReturn = () => {
    timer = setTimeout(giveUp, returnMs).unref();
  };
  over?.addEventListener("abort", expectReturn, { once: true });
  try {
    await channel.request("runner.run", { runner_id, runner_name, context, channel: id });
  } catch (error) {
    throw failure() ?? error;
  } finally {
    signal.removeEventListener("abort", cancel);
    over?.removeEventListener("abort", expectReturn);
    clearTimeout(timer);
    hung.delete(id);
    calls.delete(id);
  }
}

function noSuchRun(): ApiError {
  return new ApiError("unauthorized", "There is no such run on this connection: it has ended, or belongs to another.");
}

function readLog(params: unknown): string {
  const { data } = HOST_NOTIFICATIONS.log.safeParse(params);
  return data ? `${data.level}: ${data.message.trimEnd()}\n` : "";
}

function greet(version: string): object {
  return { protocol_versions: [...RUNNER_PROTOCOL_VERSIONS], host: { name: "drydock", version } };
}

function describeStart(error: unknown, startMs: number): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `It did not answer "initialize" within ${startMs / 1000} s.`;
  return error instanceof Error ? error.message : String(error);
}

function processError(plugin: Plugin, message: string, stderr: string): DrydockError {
  // Where the program was when it failed says less than why, and is longer.
  const words = stderr.replace(/^[ \t]+at .*\n?/gm, "").trim();
  const tail = words === "" ? "" : ` It wrote: ${words.slice(-SHOWN_STDERR_CHARS)}`;
  const hint = "Try the plugin by itself with its harness, and read what it writes to stderr.";
  return new DrydockError("runner.channel_lost", `The plugin ${plugin.id}: ${message}${tail}`, hint, {
    plugin: plugin.id,
  });
}
