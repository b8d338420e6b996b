import { DrydockError, type ErrorInfo, type HostAgent, type HostEvent, type HostStep } from "@drydock/protocol";
import type { Message, RunContext, RunnerDiscovery } from "@drydock/protocol/runner";
import { type ApiContext, createApi } from "../access/create-api.ts";
import { openHarnessAccess } from "../access/open-harness-access.ts";
import type { AccessSnapshot } from "../access/snapshot.ts";
import { type Projection, projectRun } from "../gateway/project-run.ts";
import type { HostPorts, RunRecord } from "../ports.ts";
import type { PluginProcess } from "../processes/plugin-process.ts";
import { createResultReader } from "../results/read-results.ts";
import type { ResultStep, RunnerEnd } from "../results/result-step.ts";
import { buildContext } from "./build-context.ts";
import { createEffects } from "./create-effects.ts";
import { chooseDelivery } from "./deliver.ts";
import type { OpenCommands } from "./open-commands.ts";
import { requestAction } from "./request-action.ts";
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
  commands: OpenCommands;
  signal: AbortSignal;
  onDelta(text: string): void;
  onStep(type: HostStep["type"], data: HostStep["data"]): void;
  attachments: RunContext["input"]["attachments"];
  /** Where an external harness is to reach the host. */
  projection: Projection | null;
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
  const { record, process, runner, agent, eventId, event, snapshot, conversation, attachments } = run;
  const deadline = new AbortController();
  const deadlineMs = ports.now() + agent.timeoutSeconds * 1000;
  const timer = setTimeout(() => deadline.abort("deadline"), agent.timeoutSeconds * 1000);
  const over = new AbortController();
  const stop = AbortSignal.any([run.signal, deadline.signal]);
  const access = openAccess(ports, run, {
    ...{ stop, signal: AbortSignal.any([stop, over.signal]) },
    harness: openHarnessAccess(ports, run, { signal: stop, gateway: () => projected?.access ?? null }),
  });
  const api = createApi(access);
  const expectsReply = event.type === "message.received" && agent.delivery.reply;
  const reader = createResultReader({ runId: record.id, expectsReply });
  let projected: Awaited<ReturnType<typeof projectRun>> | null = null;
  try {
    const context = await buildContext(
      {
        ...{ runId: record.id, eventId, event, agent, snapshot, conversation, deadlineMs, attachments },
        version: ports.version,
        skills: runner.manifest.capabilities.skill_authoring ? await ports.listSkills({ agent, event }) : [],
      },
      ports.facts,
    );
    const effects = createEffects({
      ...{ context: access, eventId, delivery: chooseDelivery(ports, { agent, event, runId: record.id }) },
      ...{ onDelta: run.onDelta, onStep: run.onStep },
      requestAction: (action) => requestAction(ports, run, action, access.signal),
    });
    const work = createWork(effects.apply);
    const { id: plugin, version } = process.plugin;
    await record.append("runner.started", { plugin, version, eventId, context: await record.keep(context) });
    projected = run.projection && (await projectRun(run.projection, { record, context, call: api }));
    const config = await ports.revealSecrets(runner.manifest, context.config);
    const call = process.run({
      ...{ runId: record.id, runnerId: runner.manifest.id, runnerName: runner.runner_name, signal: stop },
      over: over.signal,
      context: { ...context, config },
      onResult: (result) => work.add(reader.take(result)),
      onCall: api,
      onRefused: (method) => record.append("host.called", { method, resource: null, ok: false, code: "unauthorized" }),
    });
    const returned = call.then(
      () => {
        // A runner that returns because it was told to stop has not failed to answer.
        if (!stop.aborted) work.add(reader.finish());
      },
      (error: unknown) => {
        if (!stop.aborted) work.add(reader.finish(describeFault(error)));
      },
    );
    let isStuck = false;
    await Promise.race([returned, work.ended, aborted(stop)]);
    if (stop.aborted && work.end() === null) {
      isStuck = await isSilent(returned, GRACE_MS);
      const late = { code: "runner.timeout", message: tooLate(agent.timeoutSeconds), retryable: true } as const;
      if (deadline.signal.aborted) work.add(reader.finish(late));
    }
    const end = (await work.settle()) ?? { kind: "cancelled" };
    const { messages, warnings } = effects;
    return { end, messages, warnings, isStuck };
  } finally {
    clearTimeout(timer);
    over.abort();
    await access.harness.close();
    await projected?.close();
    await access.tools.close();
  }
}

/** Results are carried out in the order in which they came, also where one takes long. */
function createWork(apply: (step: ResultStep) => Promise<RunnerEnd | null>) {
  let end: RunnerEnd | null = null;
  let fault: unknown;
  let working: Promise<void> = Promise.resolve();
  const ended = Promise.withResolvers<void>();
  return {
    /** Resolves when the end was among the results, or one could not be carried out. */
    ended: ended.promise,
    end: () => end,
    add(steps: readonly ResultStep[]) {
      working = working.then(async () => {
        for (const step of steps) {
          const reached = await apply(step);
          if (reached) end ??= reached;
        }
        if (end) ended.resolve();
      });
      working.catch((error) => {
        fault ??= error;
        ended.resolve();
      });
    },
    /** Waits for what is left. Null where there was no end. */
    async settle(): Promise<RunnerEnd | null> {
      await working.catch(() => {});
      if (fault) throw fault;
      return end;
    },
  };
}

/** What the calls of the run work with. The rights end with `signal`; what tools have started ends by `close`, or with `stop`. */
function openAccess(
  ports: HostPorts,
  run: RunnerRun,
  { stop, signal, harness }: Record<"stop" | "signal", AbortSignal> & Pick<ApiContext, "harness">,
): ApiContext {
  const { record, process, agent, event, snapshot, conversation, steering, commands } = run;
  return {
    ...{
      snapshot,
      event,
      conversation,
      record,
      facts: ports.facts,
      steering,
      commands,
      harness,
      version: ports.version,
      signal,
    },
    tools: ports.openTools({ runId: record.id, agent, event, signal: stop }),
    askModel: (question) => ports.askModel(record, question),
    ...{ modelHelp: ports.modelHelp, knowledge: ports.knowledge },
    onChunk(stream_id, content) {
      process.notify("llm.chunk", { stream_id, chunk: { role: "assistant", content } });
    },
  };
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

export function describeFault(error: unknown) {
  const message = error instanceof Error ? error.message : String(error);
  const isLost = error instanceof DrydockError && error.code === "runner.channel_lost";
  return { code: isLost ? "runner.channel_lost" : "runner.failed", message, retryable: isLost } as const;
}

function tooLate(seconds: number): string {
  return `The runner took longer than ${seconds} s.`;
}

/** The error of a run that did not complete. */
export function toErrorInfo(end: RunnerOutcome["end"], runId: string): ErrorInfo | null {
  if (end.kind === "completed") return null;
  if (end.kind === "cancelled")
    return { code: "run.cancelled", message: "The run was cancelled.", hint: "Send the event again when you want it." };
  const { code, message, runnerCode, retryable } = end;
  const look = `Look at the run's events: \`drydock runs events ${runId}\`.`;
  const { hint = retryable ? "Send the message again." : look } = end;
  return { code, message, hint, ...(runnerCode && { runnerCode }), retryable };
}
