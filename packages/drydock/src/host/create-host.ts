import {
  DrydockError,
  type HostEventInput,
  type HostStep,
  type HostWarning,
  type ProcessState,
  type Route,
  type SendResult,
} from "@drydock/protocol";
import { parseRunnerId, type RunnerDiscovery, readText } from "@drydock/protocol/runner";
import type { StoredEvent } from "../ledger/index.ts";
import { chooseBinding } from "./bindings/choose-binding.ts";
import { conversationKey } from "./bindings/event-id.ts";
import { type ControlledRuns, createControlledRuns } from "./control/create-controlled-runs.ts";
import { createFeeds, type Feeds } from "./feeds/create-feeds.ts";
import { createGateway } from "./gateway/create-gateway.ts";
import type { Plugin } from "./plugins/plugin.ts";
import type { HostPorts } from "./ports.ts";
import { type ListedRunners, listRunners } from "./processes/list-runners.ts";
import { createPluginLogs } from "./processes/plugin-logs.ts";
import { startPluginProcess } from "./processes/plugin-process.ts";
import { createSupervisor } from "./processes/supervisor.ts";
import { type ActiveRuns, createActiveRuns } from "./runs/active-runs.ts";
import { type AnswerOptions, answerEvent } from "./runs/answer-event.ts";
import { foldEvents } from "./runs/fold-events.ts";
import { takeInline } from "./runs/inline-contents.ts";
import { readEvent, recordEvent, requireAgent } from "./runs/receive-event.ts";
import { createWarnings } from "./warnings.ts";

export interface Host {
  /** Handles one event: exactly one binding, one run, one runner. Resolves when the run has ended. */
  send(event: HostEventInput, options?: AnswerOptions): Promise<SendResult>;
  /** Handles messages that a process which is gone had queued for a run, each once. Gives their number, and does not wait for them. */
  resume(): Promise<number>;
  /** Which binding an event would take, and why; none where the agent is named. Nothing is recorded. */
  route(event: HostEventInput, options?: Pick<AnswerOptions, "agent">): Promise<Route>;
  /** The runners of all plugins that can be used, and what is wrong with the others. */
  runners(): Promise<ListedRunners>;
  /** Rejects where the runner's plugin is not there, can't be started, or does not have it. */
  requireRunner(id: string): Promise<RunnerDiscovery>;
  /** Starts a plugin that is not granted anything, beside all others, and asks for its runners. */
  look(plugin: Plugin): Promise<ListedRunners>;
  /** Plugins were added, changed or removed. */
  refresh(): void;
  status(): ProcessState[];
  /** The newest lines that the processes of a plugin have written beside the protocol. */
  readLog(plugin: string): string;
  readonly feeds: Feeds;
  readonly controlledRuns: ControlledRuns;
  /**
   * Cancels what is under way or waits in a conversation, waits for its end, and does the work; again where it gives false. Events
   * that come meanwhile are handled afterwards.
   */
  clear: ActiveRuns["clear"];
  /** What was refused or wrong and belongs to no run, the newest first. */
  warnings(limit?: number): Promise<HostWarning[]>;
  close(): Promise<void>;
}

/** Events go in, answers of runners come out. What happened is in the ledger. */
export function createHost(given: HostPorts): Host {
  const ports: HostPorts = { ...given, createRun: async (request) => foldEvents(await given.createRun(request)) };
  const warnings = createWarnings(ports.facts);
  const logs = createPluginLogs();
  const supervisor = createSupervisor({
    ...{ version: ports.version, lifeMs: ports.processLifeMs, lifeChars: ports.processLifeChars },
    ...{ findPlugin: ports.findPlugin, openLink: ports.openLink, onWarning: warnings.note },
    onLog: logs.add,
  });
  const gateway = createGateway(ports.version, warnings.note);
  const active = createActiveRuns();
  const feeds = createFeeds();

  const findProcess = async (runnerId: string, signal?: AbortSignal) => {
    const address = parseRunnerId(runnerId);
    const id = address && `${address.plugin_author}/${address.plugin_name}`;
    const plugin = id && (await ports.findPlugin(id));
    if (!plugin) throw unknownRunner(runnerId);
    const { process, release } = await supervisor.acquire(plugin, signal);
    const runner = process.runners.find(({ manifest }) => manifest.id === runnerId);
    if (runner) return { process, runner, release };
    release();
    throw unknownRunner(runnerId);
  };
  const findRunner = async (runnerId: string) => {
    const { process, runner, release } = await findProcess(runnerId);
    release();
    return { plugin: process.plugin.id, runner };
  };

  const controlledRuns = createControlledRuns({ ports, feeds, findRunner, handle: active.handle });

  async function dispatch(fact: StoredEvent, options: AnswerOptions): Promise<SendResult> {
    const { id: eventId, event } = fact;
    const chosen = options.agent ? null : chooseBinding(await ports.facts.agents.bindings(), event);
    const { binding, reason } = chosen ?? { binding: null, reason: "" };
    const name = options.agent ?? chosen?.agent ?? null;
    if (binding?.discard || name === null) {
      const kind = binding ? "discarded" : "unbound";
      await ports.facts.events.settle(eventId, kind);
      return { eventId, kind, reason };
    }
    const agent = await requireAgent(ports.facts, name);
    const conversation = conversationKey(event);
    // What a message carries is stored with the run that answers it. A run that is under way would never get it.
    const carriesContents = (options.inline ?? []).length > 0;
    const steered = carriesContents ? null : active.offer(fact, { conversation, runnerId: agent.runner });
    const tell = (type: HostStep["type"], runId: string | null) => options.onStep?.({ type, eventId, runId, data: {} });
    if (steered) {
      await ports.facts.events.settle(eventId, "steering", steered);
      tell("event.absorbed", steered);
      return { eventId, kind: "absorbed", runId: steered };
    }
    if (active.isBusy(conversation, agent.runner)) tell("event.queued", null);
    const found = { binding, agent, conversation };
    const { outcome, runId, error, dropped } = await active.inTurn(conversation, agent.runner, () =>
      answerEvent({ ports, supervisor, active, gateway, findProcess }, fact, found, options),
    );
    // Messages that the run never pulled are handled as ordinary events: their senders must not lose them.
    for (const left of dropped) dispatchLater(left, options.agent);
    const { messages, warnings: noted } = outcome;
    const text = messages.map(readText).join("\n");
    const { end } = outcome;
    const ok = end.kind === "completed";
    const usage = end.kind === "completed" ? (end.usage ?? null) : null;
    return { eventId, kind: "answered", runId, ok, text, messages, usage, warnings: noted, error };
  }

  /** Handles a message that some run was to take and never took. Its sender does not wait any more: what goes wrong is a warning. */
  const dispatchLater = (fact: StoredEvent, agent: string | undefined) => {
    const conversation = conversationKey(fact.event);
    const onStep = (step: HostStep) => feeds.publish(conversation, step);
    void dispatch(fact, { agent, onStep }).catch((error: Error) => {
      const text = `The message ${fact.id}, which no run has taken, could not be handled: ${error.message}`;
      warnings.note({ kind: "fault", source: "host", text });
    });
  };

  return {
    async send(input, options = {}) {
      const { event, inline } = takeInline(readEvent(input), options.files);
      if (options.agent !== undefined) await requireAgent(ports.facts, options.agent);
      return active.handle(conversationKey(event), async () => {
        const { id, conversation, fact } = await recordEvent(ports.facts, event, options.history);
        if (!fact) {
          const known = await ports.facts.events.find(id);
          return { eventId: id, kind: "duplicate", runId: known?.runId ?? null };
        }
        const onStep = (step: HostStep) => {
          feeds.publish(conversation, step);
          options.onStep?.(step);
        };
        const data = { type: event.type, text: event.input.text };
        onStep({ type: "event.received", eventId: id, runId: null, data });
        return dispatch(fact, { ...options, inline, onStep });
      });
    },
    async resume() {
      const left = await ports.facts.events.takeLeftSteering();
      for (const { event, agent } of left) {
        const known = agent !== null && (await ports.facts.agents.find(agent)) ? agent : undefined;
        dispatchLater(event, known);
      }
      return left.length;
    },
    async route(input, { agent } = {}) {
      const event = readEvent(input);
      if (agent === undefined) return chooseBinding(await ports.facts.agents.bindings(), event);
      await requireAgent(ports.facts, agent);
      return { binding: null, agent, reason: "The event is sent to it, whatever the bindings say.", others: [] };
    },
    runners: async () => listRunners(await ports.plugins(), supervisor),
    requireRunner: async (id) => (await findRunner(id)).runner,
    async look(plugin) {
      const apart = { ...plugin, sandbox: { hosts: [], environment: [] } };
      try {
        const process = await startPluginProcess({
          ...{ plugin, version: ports.version, startMs: LOOK_MS, onRefused: () => {} },
          openLink: ports.openLink(apart),
        });
        await process.stop();
        return { runners: [...process.runners], warnings: [...process.warnings] };
      } catch (error) {
        return { runners: [], warnings: [error instanceof Error ? error.message : String(error)] };
      }
    },
    refresh: supervisor.refresh,
    status: () => supervisor.list(),
    readLog: logs.read,
    ...{ feeds, controlledRuns },
    clear: active.clear,
    warnings: (limit = MAX_WARNINGS) => warnings.list(limit),
    async close() {
      active.cancelAll();
      await controlledRuns.close();
      await active.settle();
      await gateway.close();
      await supervisor.close();
      await warnings.close();
    },
  };
}

const MAX_WARNINGS = 1000;
const LOOK_MS = 10_000;

function unknownRunner(runner: string): DrydockError {
  const message = `The runner ${runner} is not installed.`;
  const hint = "`drydock plugin list` shows those that are; `drydock plugin add DIRECTORY` installs one.";
  return new DrydockError("runner.unavailable", message, hint, { runner });
}
