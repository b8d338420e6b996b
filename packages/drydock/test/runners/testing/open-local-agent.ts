import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dock } from "drydock";
import { afterAll, beforeEach } from "vitest";
import { type ProviderServer, startProviderServer } from "../../../src/models/testing/provider-server.ts";
import { type ModelServer, startModelServer } from "../../knowledge/testing/start-model-server.ts";
import { openTestDock, type TestDock } from "../../testing/test-dock.ts";

type Settings = Omit<Parameters<Dock["host"]["agents"]["add"]>[0], "name" | "runner">;
type Event = Parameters<Dock["host"]["send"]>[0];

export interface LocalAgentKit {
  t: TestDock;
  server: ProviderServer;
  /** Ranks documents, as the model local/ranker. */
  ranking: ModelServer;
  /** What a request says, whatever the protocol of its provider. */
  sent(index: number): string;
  /** A new agent; `say` sends it a message in a conversation of its own, or in the one that is named. */
  newAgent(settings?: Settings): Promise<{
    agent: Awaited<ReturnType<Dock["host"]["agents"]["add"]>>;
    deltas: string[];
    say(text: string | null, event?: Partial<Event>): ReturnType<Dock["host"]["send"]>;
  }>;
}

/** A dock whose models are a server on loopback, one model for each protocol. */
export async function openLocalAgent(): Promise<LocalAgentKit> {
  const server = await startProviderServer();
  const ranking = await startModelServer();
  const { baseUrl } = server;
  const models = {
    ...{ retries: 0, default: "chat/small", fallbacks: ["messages/small"] },
    providers: {
      chat: { baseUrl },
      messages: { baseUrl, api: "anthropic" },
      responses: { baseUrl, api: "openai-responses" },
      openai: { baseUrl, api: "openai" },
      local: { baseUrl: ranking.url },
    },
  };
  const t = openTestDock({
    prepare: (home) => writeFileSync(join(home, "config.yaml"), JSON.stringify({ models })),
  });
  let count = 0;

  afterAll(async () => {
    await server.close();
    await ranking.close();
  });
  beforeEach(() => {
    server.requests.length = 0;
    server.answer(() => ({ status: 599, error: { message: "no reply is queued" } }));
  });

  return {
    ...{ t, server, ranking },
    sent: (index) => server.requests.at(index)?.raw ?? "",
    async newAgent(settings = {}) {
      const { host } = t.dock;
      const name = `agent-${++count}`;
      const agent = await host.agents.add({ name, runner: "local-agent", ...settings });
      const conversation_id = `conversation-${count}`;
      const deltas: string[] = [];
      return {
        agent,
        deltas,
        say: (text, event = {}) =>
          host.send(
            {
              ...{ type: "message.received", source: "api", conversation: { conversation_id } },
              delivery: { surface: "test", supports_streaming: true },
              ...{ input: { text, contents: [] }, ...event },
            },
            { agent: name, onDelta: (piece) => deltas.push(piece) },
          ),
      };
    },
  };
}

/** An answer that calls the tool execute_code. */
export const callOf = (code: string) => ({
  toolCalls: [{ name: "execute_code", input: JSON.stringify({ language: "python", code }) }],
});
