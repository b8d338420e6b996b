import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDock, type Dock } from "drydock";

type Calls = readonly (readonly [method: string, params?: object])[];

export interface CallerMessage {
  calls?: Calls;
  /** Calls that are made at the same time. Only their codes are in the reply. */
  atOnce?: Calls;
  results?: readonly (readonly [type: string, data: object])[];
  /** Whether the runner waits for a message that steers it. */
  pull?: boolean;
  /** How many results of an unknown type the runner sends. */
  odd?: number;
  /** Whether the runner reads the whole history. */
  paged?: boolean;
  /** A key of the conversation's state that the runner waits for. */
  gate?: string;
}

export interface CallerReply {
  answers: Record<string, unknown>[];
  codes: string[];
  /** Of the history, where it was read. */
  pages: { items: number; bytes: number }[];
  /** Of the actor's state that the run was given. */
  stateKeys: string[];
  steered: string[];
  runId: string;
  resources: { tools: { tool_name: string; operations: string[] }[]; skills: Record<string, unknown>[] };
}

type NewAgent = Parameters<Dock["host"]["agents"]["add"]>[0];
type SendOptions = Parameters<Dock["host"]["send"]>[1];
type Event = Parameters<Dock["host"]["send"]>[0];

export interface Caller {
  dock: Dock;
  home: string;
  /** A new agent that answers in conversations of its own. `send` sends it a message in a new one. */
  addAgent(settings: Omit<NewAgent, "name" | "runner"> & { runner?: string }): Promise<CallerAgent>;
  close(): Promise<void>;
}

export interface CallerAgent {
  name: string;
  bot: string;
  send(
    message: CallerMessage | string,
    options?: SendOptions,
    event?: Partial<Event>,
  ): ReturnType<Dock["host"]["send"]>;
  /** The same, with what the runner replied. */
  ask(message: CallerMessage, options?: SendOptions, event?: Partial<Event>): Promise<CallerReply>;
}

/** A dock with plugins that make the calls which a message lists. */
export async function openCaller(options: { plugins?: readonly string[]; home?: string } = {}): Promise<Caller> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), "drydock-caller-"));
  const dock = await createDock({ home, warm: 1 });
  for (const plugin of options.plugins ?? ["caller"])
    await dock.host.plugins.add(join(import.meta.dirname, "../plugins", plugin));
  let count = 0;
  return {
    ...{ dock, home },
    async addAgent({ runner = "plugin:test/caller/all", ...settings }) {
      const name = `agent-${count++}`;
      await dock.host.agents.add({ name, runner, ...settings });
      await dock.host.agents.bind({ agent: name, scope: "bot", value: name });
      const send: CallerAgent["send"] = (message, sendOptions, event = {}) => {
        const text = typeof message === "string" ? message : JSON.stringify(message);
        const conversation = { conversation_id: `conversation-${count++}`, bot_id: name, ...event.conversation };
        const actor = { actor_type: "user", actor_id: "ann" };
        return dock.host.send(
          { type: "message.received", actor, input: { text }, ...event, conversation },
          sendOptions,
        );
      };
      return {
        ...{ name, bot: name, send },
        async ask(message, sendOptions, event) {
          const sent = await send(message, sendOptions, event);
          if (sent.kind !== "answered" || !sent.ok) throw new Error(JSON.stringify(sent));
          return JSON.parse(sent.text) as CallerReply;
        },
      };
    },
    async close() {
      await dock.close();
      if (!options.home) rmSync(home, { recursive: true, force: true });
    },
  };
}
