import { DrydockError, type ErrorInfo, type HostAgent, type HostEvent, type HostStep } from "@drydock/protocol";
import type { Message, RunnerDiscovery } from "@drydock/protocol/runner";
import { type ApiContext, createApi } from "../access/create-api.ts";
import type { AccessSnapshot } from "../access/snapshot.ts";
import type { HostPorts, RunRecord } from "../ports.ts";
import type { PluginProcess } from "../processes/plugin-process.ts";
import { createResultReader } from "../results/read-results.ts";
import type { ResultStep, RunnerEnd } from "../results/result-step.ts";
import { buildContext } from "./build-context.ts";
import { createEffects } from "./carry-out.ts";
import type { SteeringQueue } from "./steering-queue.ts";

export interface RunnerRun {
  record: RunRecord;
  process: PluginProcess;
  runner: RunnerDiscovery;
  agent: HostAgent;
  eventId: string;
  event: HostEvent;
  snapshot: AccessSnapshot;
  conversation: string | null;
  steering: SteeringQueue;
  signal: AbortSignal;
  onDelta(text: string): void;
  onStep(type: HostStep["type"], data: HostStep["data"]): void;
}

export interface RunnerOutcome {
  end: RunnerEnd | { kind: "cancelled" };
  messages: Message[];
  warnings: string[];
  /** The runner did not return after it was told to stop. */
  isStuck: boolean;
}

const GRACE_MS = 2000;

/**
 * One run, from the context to its end by results, deadline, cancel or a broken channel. It records what happens; its end is
 * recorded by the caller.
 */
export async function runRunner(ports: HostPorts, run: RunnerRun): Promise<RunnerOutcome> {
  const { record, process, runner, agent, eventId, event, snapshot, conversation, steering } = run;
  const deadline = new AbortController();
  const deadlineMs = ports.now() + agent.timeoutSeconds * 1000;
  const timer = setTimeout(() => deadline.abort("deadline"), agent.timeoutSeconds * 1000);
  const over = new AbortController();
  const stop = AbortSignal.any([run.signal, deadline.signal]);
  const context: ApiContext = {
    ...{ snapshot, event, conversation, record, facts: ports.facts, steering, version: ports.version },
    signal: AbortSignal.any([stop, over.signal]),
    askModel: (question) => ports.askModel(record, question),
    ...{ modelHelp: ports.modelHelp, knowledge: ports.knowledge },
    onChunk(stream_id, content) {
      process.notify("llm.chunk", { stream_id, chunk: { role: "assistant", content } });
    },
  };
  const expectsReply = event.type === "message.received" && agent.delivery.reply;
  const reader = createResultReader({ runId: record.id, expectsReply });
  const maxMessageChars = agent.delivery.maxMessageChars ?? event.delivery?.max_message_size ?? null;
  const effects = createEffects({ context, eventId, maxMessageChars, onDelta: run.onDelta, onStep: run.onStep });
  let end: RunnerEnd | null = null;
  let fault: unknown;
  let working: Promise<void> = Promise.resolve();
  const ended = Promise.withResolvers<void>();

  /** Results are carried out in the order in which they came, also where one takes long. */
  const carryOut = (steps: readonly ResultStep[]) => {
    working = working.then(async () => {
      for (const step of steps) {
        const reached = await effects.apply(step);
        if (reached) end ??= reached;
      }
      if (end) ended.resolve();
    });
    working.catch((error) => {
      fault ??= error;
      ended.resolve();
    });
  };

  await record.append("runner.started", { plugin: process.plugin.id, version: process.plugin.version, eventId });
  const call = process.run({
    ...{ runId: record.id, runnerId: runner.manifest.id, runnerName: runner.runner_name, signal: stop },
    context: await buildContext(
      { runId: record.id, eventId, event, agent, snapshot, conversation, deadlineMs, version: ports.version },
      ports.facts,
    ),
    onResult: (result) => carryOut(reader.take(result)),
    onCall: createApi(context),
  });
  let isStuck = false;
  const returned = call.then(
    () => {
      // One that returns because it was told to stop has not completed.
      if (!stop.aborted) carryOut(reader.finish());
    },
    (error: unknown) => {
      if (!stop.aborted) carryOut(reader.finish(describeFault(error)));
    },
  );
  try {
    await Promise.race([returned, ended.promise, aborted(stop)]);
    if (stop.aborted && end === null) {
      isStuck = await isSilent(returned, GRACE_MS);
      const late = { code: "runner.timeout", message: tooLate(agent.timeoutSeconds), retryable: true } as const;
      if (deadline.signal.aborted) carryOut(reader.finish(late));
    } else if (end === null) await Promise.race([ended.promise, working]);
    await working;
    if (fault) throw fault;
    const { messages, warnings } = effects;
    return { end: end ?? { kind: "cancelled" }, messages, warnings, isStuck };
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

/** Whether the runner does not return within the time that it has to stop. */
async function isSilent(returned: Promise<void>, graceMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), graceMs);
  void returned.then(() => resolve(false));
  return promise.finally(() => clearTimeout(timer));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function describeFault(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  const isLost = error instanceof DrydockError && error.code === "runner.channel_lost";
  return { code: isLost ? "runner.channel_lost" : "runner.failed", message, retryable: isLost } as const;
}

function tooLate(seconds: number): string {
  return `The runner took longer than ${seconds} s.`;
}

/** The error of a run that did not complete. */
export function toErrorInfo(end: RunnerOutcome["end"]): ErrorInfo | null {
  if (end.kind === "completed") return null;
  if (end.kind === "cancelled")
    return { code: "run.cancelled", message: "The run was cancelled.", hint: "Send the event again when you want it." };
  const { code, message, runnerCode, retryable } = end;
  const { hint = retryable ? "Send the message again." : "Look at the run's events: `drydock runs events last`." } =
    end;
  return { code, message, hint, ...(runnerCode && { runnerCode }), retryable };
}
