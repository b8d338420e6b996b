import { DrydockError, HostEvent, type HostEventInput, type Route, type SendResult } from "@drydock/protocol";
import { type Message, parseRunnerId, type RunnerDiscovery, readText } from "@drydock/protocol/runner";
import type { StoredEvent } from "../ledger/index.ts";
import { chooseBinding } from "./bindings/choose-binding.ts";
import { conversationKey, eventIdOf } from "./bindings/event-id.ts";
import type { Plugin } from "./plugins/plugin.ts";
import type { HostPorts } from "./ports.ts";
import { startPluginProcess } from "./processes/plugin-process.ts";
import { createSupervisor, type ProcessState } from "./processes/supervisor.ts";
import { createActiveRuns } from "./runs/active-runs.ts";
import { type AnswerOptions, answerEvent } from "./runs/answer-event.ts";

export interface Host {
  /** Handles one event: exactly one binding, one run, one runner. Resolves when the run has ended. */
  send(event: HostEventInput, options?: AnswerOptions): Promise<SendResult>;
  /** Which binding an event would take, and why. Nothing is recorded. */
  route(event: HostEventInput): Promise<Route>;
  /** The runners of all plugins that can be used, and what is wrong with the others. */
  runners(): Promise<{ runners: RunnerDiscovery[]; warnings: string[] }>;
  /** Rejects where the runner's plugin is not there, can't be started, or does not have it. */
  requireRunner(id: string): Promise<void>;
  /** Starts a plugin that is not granted anything, beside all others, and asks for its runners. */
  look(plugin: Plugin): Promise<{ runners: RunnerDiscovery[]; warnings: string[] }>;
  /** Plugins were added, changed or removed. */
  refresh(): void;
  status(): ProcessState[];
  close(): Promise<void>;
}

/** Events go in, answers of runners come out. What happened is in the ledger. */
export function createHost(ports: HostPorts): Host {
  const warnings: string[] = [];
  const supervisor = createSupervisor({
    ...{ version: ports.version, lifeMs: ports.processLifeMs, lifeChars: ports.processLifeChars },
    ...{ findPlugin: ports.findPlugin, openLink: ports.openLink },
    onWarning(text) {
      warnings.push(text);
      if (warnings.length > MAX_WARNINGS) warnings.shift();
    },
  });
  const active = createActiveRuns();

  const findProcess = async (runnerId: string, signal?: AbortSignal) => {
    const address = parseRunnerId(runnerId);
    const id = address && `${address.plugin_author}/${address.plugin_name}`;
    const plugin = id && (await ports.findPlugin(id));
    if (!plugin) throw unknownRunner(runnerId);
    const process = await supervisor.acquire(plugin, signal);
    const runner = process.runners.find(({ manifest }) => manifest.id === runnerId);
    if (!runner) throw unknownRunner(runnerId);
    return { process, runner };
  };

  async function dispatch(fact: StoredEvent, options: AnswerOptions): Promise<SendResult> {
    const { id: eventId, event } = fact;
    const { binding, agent: name, reason } = chooseBinding(await ports.facts.agents.bindings(), event);
    if (!binding || binding.discard || name === null) {
      const kind = binding ? "discarded" : "unbound";
      await ports.facts.events.settle(eventId, kind);
      return { eventId, kind, reason };
    }
    const agent = await ports.facts.agents.find(name);
    if (!agent) throw new DrydockError("agent.not_found", `There is no agent ${name}.`, "Create it, or bind another.");
    const conversation = conversationKey(event);
    const steered = active.offer(fact, { conversation, runnerId: agent.runner });
    if (steered) {
      await ports.facts.events.settle(eventId, "steering", steered);
      return { eventId, kind: "absorbed", runId: steered };
    }
    const found = { binding, agent, conversation };
    const { outcome, runId, error, dropped } = await active.inTurn(conversation, agent.runner, () =>
      answerEvent({ ports, supervisor, active, findProcess }, fact, found, options),
    );
    // Messages that the run never pulled are handled as ordinary events: their senders must not lose them.
    for (const left of dropped) void dispatch(left, {}).catch(() => {});
    const { messages, warnings: noted } = outcome;
    const text = messages.map(readText).join("\n");
    const ok = outcome.end.kind === "completed";
    return { eventId, kind: "answered", runId, ok, text, messages, warnings: noted, error };
  }

  return {
    async send(input, options = {}) {
      const event = readEvent(input);
      const id = eventIdOf(event);
      const conversation = conversationKey(event);
      const fact = await ports.facts.events.add(id, event, conversation);
      if (!fact) {
        const known = await ports.facts.events.find(id);
        return { eventId: id, kind: "duplicate", runId: known?.runId ?? null };
      }
      if (conversation !== null && event.type === "message.received") {
        const message: Message = { role: "user", content: event.input.text ?? event.input.contents };
        await ports.facts.transcript.add({ conversation, eventId: id, runId: null, message });
      }
      return dispatch(fact, options);
    },
    async route(input) {
      return chooseBinding(await ports.facts.agents.bindings(), readEvent(input));
    },
    async runners() {
      const runners: RunnerDiscovery[] = [];
      const problems: string[] = [];
      for (const plugin of await ports.plugins()) {
        try {
          const process = await supervisor.acquire(plugin);
          runners.push(...process.runners);
          problems.push(...process.warnings);
        } catch (error) {
          // One plugin that does not work never hides another.
          problems.push(error instanceof Error ? error.message : String(error));
        }
      }
      return { runners, warnings: problems };
    },
    async requireRunner(id) {
      await findProcess(id);
    },
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
    async close() {
      active.cancelAll();
      await active.settle();
      await supervisor.close();
    },
  };
}

const MAX_WARNINGS = 1000;
const LOOK_MS = 10_000;

function readEvent(input: HostEventInput): HostEvent {
  const read = HostEvent.safeParse(input);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const where = issue?.path.join(".") || "the event";
  const hint = "An event has at least a type, such as `message.received`.";
  throw new DrydockError("input.invalid", `${where}: ${issue?.message}.`, hint, { field: where });
}

function unknownRunner(runner: string): DrydockError {
  const message = `The runner ${runner} is not installed.`;
  const hint = "`drydock plugin list` shows those that are; `drydock plugin add DIRECTORY` installs one.";
  return new DrydockError("runner.unavailable", message, hint, { runner });
}
