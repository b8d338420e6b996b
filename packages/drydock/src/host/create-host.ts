import { DrydockError, HostEvent, type HostEventInput, type Route, type SendResult } from "@drydock/protocol";
import { type Message, parseRunnerId, type RunnerDiscovery, readText } from "@drydock/protocol/runner";
import type { StoredEvent } from "../ledger/index.ts";
import { chooseBinding } from "./bindings/choose-binding.ts";
import { conversationKey, eventIdOf } from "./bindings/event-id.ts";
import { createGateway } from "./gateway/create-gateway.ts";
import type { HostPorts } from "./ports.ts";
import { createSupervisor, type ProcessState } from "./processes/supervisor.ts";
import { createActiveRuns } from "./runs/active-runs.ts";
import { type AnswerOptions, answerEvent } from "./runs/answer-event.ts";
import { takeInline } from "./runs/inline-contents.ts";

export interface Host {
  /** Handles one event: exactly one binding, one run, one runner. Resolves when the run has ended. */
  send(event: HostEventInput, options?: AnswerOptions): Promise<SendResult>;
  /** Which binding an event would take, and why. Nothing is recorded. */
  route(event: HostEventInput): Promise<Route>;
  /** The runners of all plugins that can be used, and what is wrong with the others. */
  runners(): Promise<{ runners: RunnerDiscovery[]; warnings: string[] }>;
  status(): ProcessState[];
  /** What was refused or wrong and belongs to no run, the newest last. */
  warnings(): string[];
  close(): Promise<void>;
}

/** Events go in, answers of runners come out. What happened is in the ledger. */
export function createHost(ports: HostPorts): Host {
  const warnings: string[] = [];
  const onWarning = (text: string) => {
    warnings.push(text);
    if (warnings.length > MAX_WARNINGS) warnings.shift();
  };
  const supervisor = createSupervisor({
    ...{ version: ports.version, runProgram: ports.runProgram, lifeMs: ports.processLifeMs, onWarning },
  });
  const gateway = createGateway(ports.version, onWarning);
  const active = createActiveRuns();

  const findProcess = async (runnerId: string) => {
    const address = parseRunnerId(runnerId);
    const id = address && `${address.plugin_author}/${address.plugin_name}`;
    const plugin = (await ports.plugins()).find((each) => each.id === id);
    if (!plugin) throw unknownRunner(runnerId);
    const process = await supervisor.acquire(plugin);
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
      answerEvent({ ports, supervisor, active, gateway, findProcess }, fact, found, options),
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
      const { event, inline } = takeInline(readEvent(input));
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
      return dispatch(fact, { ...options, inline });
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
    status: () => supervisor.list(),
    warnings: () => [...warnings],
    async close() {
      active.cancelAll();
      await active.settle();
      await gateway.close();
      await supervisor.close();
    },
  };
}

const MAX_WARNINGS = 1000;

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
