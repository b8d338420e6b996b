import type { Dock } from "drydock";
import { beforeAll } from "vitest";
import { buildExampleAgent } from "../../acp/build-example-agent.ts";
import { openTestDock, type TestDock } from "../../testing/test-dock.ts";

type Sent = Extract<Awaited<ReturnType<Dock["host"]["send"]>>, { kind: "answered" }>;

export interface AcpKit {
  t: TestDock;
  /** An agent of the runner acp-agent on a workspace of its own, enabled unless that is left to the test. */
  newAgent(
    config?: Record<string, unknown>,
    options?: { isOff?: boolean; timeoutSeconds?: number },
  ): Promise<AcpTester>;
}

export interface AcpTester {
  name: string;
  workspace: string;
  deltas: string[];
  say(text: string, conversation?: string, options?: Parameters<Dock["host"]["send"]>[1]): Promise<Sent>;
  /** The run of the agent itself, of the newest turn. */
  wrapOf(sent: { runId: string }): Promise<string>;
}

/** A dock whose policy protects one file, and the example agent on the official SDK. */
export function openAcpKit(): AcpKit {
  const t = openTestDock({ policy: "version: 1\nfiles: { protect: [locked.txt] }\n" });
  let code = "";
  let count = 0;
  beforeAll(async () => {
    code = await buildExampleAgent();
  });
  return {
    t,
    async newAgent(config = {}, { isOff = false, ...settings } = {}) {
      const name = `agent-${++count}`;
      const files = { "agent.mjs": code, "a.txt": "a\n", "locked.txt": "locked\n" };
      const workspace = t.makeWorkspace(files);
      const command = ["node", "agent.mjs", "--resume"];
      await t.dock.host.agents.add({
        ...{ name, runner: "acp-agent", ...settings },
        config: { command, directory: workspace, ...config },
      });
      if (!isOff) await t.dock.host.agents.enable(name);
      const deltas: string[] = [];
      return {
        ...{ name, workspace, deltas },
        async say(text, conversation = `conversation-${name}`, options = {}) {
          const sent = await t.dock.host.send(
            {
              ...{ type: "message.received", source: "api", conversation: { conversation_id: conversation } },
              ...{ delivery: { surface: "test", supports_streaming: true }, input: { text, contents: [] } },
            },
            { agent: name, onDelta: (piece) => deltas.push(piece), ...options },
          );
          if (sent.kind !== "answered") throw new Error(JSON.stringify(sent));
          return sent;
        },
        async wrapOf({ runId }) {
          const { runs } = await t.dock.runs.list({ kind: "wrap", workspace });
          for (const { id } of runs) {
            const [created] = await t.dock.runs.events(id, { limit: 1 });
            if (created?.data.parentRunId === runId) return id;
          }
          throw new Error("the turn has no run of its own");
        },
      };
    },
  };
}
