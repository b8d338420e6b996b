import type { Binding, HostAgent } from "@drydock/protocol";
import { DrydockError, type ErrorInfo, type HostStep } from "@drydock/protocol";
import type { Message, RunnerDiscovery } from "@drydock/protocol/runner";
import { untilAborted } from "../../base/waiting/index.ts";
import type { StoredEvent } from "../../ledger/index.ts";
import { listKnowledge } from "../access/config-resources.ts";
import { takeSnapshot } from "../access/snapshot.ts";
import type { Gateway } from "../gateway/create-gateway.ts";
import type { GatewayOptions } from "../gateway/project-run.ts";
import type { HostPorts, RunRecord } from "../ports.ts";
import type { PluginProcess } from "../processes/plugin-process.ts";
import type { Supervisor } from "../processes/supervisor.ts";
import type { ActiveRuns } from "./active-runs.ts";
import { type EventFile, type InlineContent, storeTaken } from "./inline-contents.ts";
import { createOpenCommands } from "./open-commands.ts";
import { type RunnerOutcome, runRunner, toErrorInfo } from "./run-runner.ts";
import { createSteeringQueue } from "./steering-queue.ts";

export interface AnswerPorts {
  ports: HostPorts;
  supervisor: Supervisor;
  active: ActiveRuns;
  gateway: Gateway;
  findProcess(runnerId: string, signal: AbortSignal): Promise<FoundProcess>;
}

interface FoundProcess {
  process: PluginProcess;
  runner: RunnerDiscovery;
  /** The process may end as idle. */
  release(): void;
}

/** What a caller hears of while its event is answered. */
interface AnswerListener {
  onStarted?(runId: string): void;
  onDelta?(text: string): void;
  onStep?(step: HostStep): void;
}

export interface AnswerOptions extends AnswerListener {
  signal?: AbortSignal;
  /** The agent that gets the event, whatever the bindings say. */
  agent?: string;
  /** What was said before, for a conversation that the host does not know yet. */
  history?: readonly Message[];
  /** Opens the gateway, by which an external harness reaches the host for this run. */
  gateway?: GatewayOptions;
  /** Contents beside the event. They become artifacts of its run. */
  files?: readonly EventFile[];
  /** Contents that were taken out of the event. */
  inline?: readonly InlineContent[];
}

export interface Answer {
  runId: string;
  outcome: RunnerOutcome;
  error: ErrorInfo | null;
  /** Messages that came during the run and that its runner never pulled. */
  dropped: StoredEvent[];
}

/** Records a run for the event, lets the runner answer, and ends the run exactly once, whatever happens. */
export async function answerEvent(
  { ports, supervisor, active, gateway, findProcess }: AnswerPorts,
  fact: StoredEvent,
  { binding, agent, conversation }: { binding: Binding | null; agent: HostAgent; conversation: string | null },
  options: AnswerOptions,
): Promise<Answer> {
  const { id: eventId, event } = fact;
  const startedMs = ports.now();
  const request = { eventId, event, agent, binding: binding?.id ?? null };
  const record = await ports.createRun({ title: titleOf(agent, fact), data: { request } });
  const tell = (type: HostStep["type"], data: HostStep["data"]) =>
    options.onStep?.({ type, eventId, runId: record.id, data });
  const stop = new AbortController();
  const signal = AbortSignal.any([
    ...(options.signal ? [options.signal] : []),
    ...[stop.signal, record.cancelled, active.closing],
  ]);
  const queued = new Map<string, StoredEvent>();
  const steering = createSteeringQueue(async (items) => {
    for (const item of items) await record.append("steering.injected", { eventId: item.event.event_id });
  });
  const commands = createOpenCommands();
  let outcome: RunnerOutcome;
  let release = () => {};
  try {
    await ports.facts.events.settle(eventId, "run", record.id);
    options.onStarted?.(record.id);
    tell("run.started", { agent: agent.name });
    const found = await findInTime(findProcess(agent.runner, signal), signal);
    const { process, runner } = found;
    release = found.release;
    const named = listKnowledge(runner.manifest, agent);
    const knowledge = named.length === 0 ? [] : await ports.knowledge.find(named);
    const snapshot = takeSnapshot({ manifest: runner.manifest, plugin: process.plugin.id, agent, event, knowledge });
    active.add({
      ...{ runId: record.id, runnerId: agent.runner, conversation, steering },
      takesSteering: snapshot.apis.steering_pull,
      cancel: () => stop.abort(),
      async preempt(preemptingId) {
        const stopped = commands.names();
        if (stopped.length === 0) return;
        await record.append("steering.preempted", { eventId: preemptingId, commands: stopped }).catch(() => {});
        commands.preempt(preemptingId);
      },
      async onQueued(other) {
        queued.set(other.id, other);
        await record.append("steering.queued", { eventId: other.id }).catch(() => {});
      },
    });
    const input = await storeTaken(record, event, options.inline ?? []);
    outcome = await runRunner(ports, {
      ...{ record, process, runner, agent, eventId, ...input, snapshot, conversation, steering, commands },
      signal,
      onDelta: (text) => options.onDelta?.(text),
      onStep: tell,
      // An agent in the sandbox reaches the host like any other harness.
      projection: options.gateway || snapshot.harness ? { gateway, options: options.gateway ?? {} } : null,
    });
    if (outcome.isStuck) supervisor.retire(process);
    else if (!process.ended()) supervisor.confirm(process);
  } catch (error) {
    outcome = signal.aborted ? CANCELLED : toFailure(error);
  } finally {
    active.remove(record.id);
    release();
  }
  const left = steering.close();
  // Whatever can't be written: the run has to end.
  for (const item of left)
    await record.append("steering.dropped", { eventId: item.event.event_id, reason: "run_ended" }).catch(() => {});
  const error = toErrorInfo(outcome.end, record.id);
  await finishRun(record, outcome, error, ports.now() - startedMs);
  tell("run.ended", { ok: error === null, error });
  const isCancelled = outcome.end.kind === "cancelled";
  const dropped = isCancelled ? [] : left.flatMap(({ event: { event_id } }) => queued.get(event_id) ?? []);
  return { runId: record.id, outcome, error, dropped };
}

/** A process that is found when nobody waits for it any more is given back. */
async function findInTime(finding: Promise<FoundProcess>, signal: AbortSignal): Promise<FoundProcess> {
  try {
    return await untilAborted(finding, signal);
  } catch (error) {
    void finding.then(({ release }) => release()).catch(() => {});
    throw error;
  }
}

/** Ends the run on record, and lets go of it. */
export async function finishRun(
  record: RunRecord,
  { end }: RunnerOutcome,
  error: ErrorInfo | null,
  durationMs: number,
) {
  const types = { completed: "run.succeeded", failed: "run.failed", cancelled: "run.cancelled" } as const;
  const finishReason = end.kind === "completed" ? end.finishReason : null;
  const usage = end.kind === "completed" ? (end.usage ?? null) : null;
  const data = {
    verdict: "unverified",
    treeHash: null,
    error,
    finishReason,
    usage,
    durationMs: Math.round(durationMs),
  };
  try {
    await record.finish(types[end.kind], data);
  } finally {
    record.close();
  }
}

const CANCELLED: RunnerOutcome = { end: { kind: "cancelled" }, messages: [], warnings: [], isStuck: false };

/** What kept the runner from answering at all: its plugin, or the host itself. */
function toFailure(error: unknown): RunnerOutcome {
  const known = error instanceof DrydockError ? error : null;
  const code =
    known?.code === "runner.unavailable" || known?.code === "runner.channel_lost" ? known.code : "runner.failed";
  const message = error instanceof Error ? error.message : String(error);
  const retryable = code === "runner.channel_lost";
  const end = { kind: "failed", code, runnerCode: null, message, retryable, hint: known?.hint } as const;
  return { end, messages: [], warnings: [], isStuck: false };
}

const TITLE_CHARS = 100;

function titleOf({ name }: HostAgent, { event }: StoredEvent): string {
  const text = event.input.text?.replace(/\s+/g, " ").trim() ?? "";
  return `${name}: ${text === "" ? event.type : text.slice(0, TITLE_CHARS)}`;
}
