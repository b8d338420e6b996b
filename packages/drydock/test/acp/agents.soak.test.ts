import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { type ClientContext, client, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { beforeAll, expect, it } from "vitest";
import { serveAcp } from "../../src/surfaces/acp/serve-acp.ts";
import { openTestDock } from "../testing/test-dock.ts";
import { agentPath, geminiVariables, installAgents, opencodeSettings, ROOT } from "../wrap/testing/published-agents.ts";
import { openScriptedProvider } from "../wrap/testing/scripted-provider.ts";

const test = openTestDock({ policy: 'version: 1\nnetwork:\n  allow: { default: [], max: ["localhost:*"] }\n' });
const SCRIPT = "sed -i 's/a - b/a + b/' calculator/basics.py";

interface Agent {
  name: string;
  words: string[];
  environment(port: number): string[];
  authenticate?(agent: ClientContext): Promise<unknown>;
}

const AGENTS: Agent[] = [
  { name: "opencode", words: ["acp"], environment: (port) => [opencodeSettings(port, "ask")] },
  {
    ...{ name: "gemini", words: ["--experimental-acp", "-m", "scripted"], environment: geminiVariables },
    authenticate: (agent) => agent.request(methods.agent.authenticate, { methodId: "gemini-api-key" }),
  },
];

beforeAll(installAgents, 600_000);

/** What such agents say to an editor beyond the example agent of the other tests is theirs: none of it may be missing for a turn. */
it.each(AGENTS)(
  "$name works behind `drydock acp`: a turn, a permission, a change that passes its checks",
  async (agent) => {
    await using provider = await openScriptedProvider(SCRIPT);
    const { port } = provider;
    const workspace = test.makeWorkspace({});
    cpSync(join(ROOT, "demo", "python-bugfix"), workspace, { recursive: true });
    const [toDrydock, toEditor] = [new PassThrough(), new PassThrough()];
    const [asked, updates]: [string[], string[]] = [[], []];
    const serving = serveAcp(test.dock, {
      command: [agentPath(agent.name), ...agent.words],
      environment: agent.environment(port),
      workspace,
      policy: { network: { allow: [`localhost:${port}`] } },
      checks: ["python3 -m pytest -q"],
      input: toDrydock,
      send: (line) => void toEditor.write(`${line}\n`),
      log: () => {},
    });
    const app = client({ name: "editor" })
      .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update.sessionUpdate))
      .onRequest(methods.client.session.requestPermission, ({ params: { toolCall, options } }) => {
        asked.push(toolCall.title ?? "");
        const once = options.find(({ kind }) => kind === "allow_once");
        return { outcome: { outcome: "selected", optionId: once?.optionId ?? "" } };
      });
    const stream = ndJsonStream(
      Writable.toWeb(toDrydock) as WritableStream<Uint8Array>,
      Readable.toWeb(toEditor) as ReadableStream<Uint8Array>,
    );
    await app.connectWith(stream, async (context) => {
      await context.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
      await agent.authenticate?.(context);
      const { sessionId } = await context.request(methods.agent.session.new, { cwd: workspace, mcpServers: [] });
      const prompt = [{ type: "text" as const, text: "Fix add() so that the tests pass" }];
      const answer = await context.request(methods.agent.session.prompt, { sessionId, prompt });
      expect(answer).toMatchObject({ stopReason: "end_turn", _meta: { drydock: { checkpoint: 1 } } });
    });
    toDrydock.end();
    const result = await serving;
    expect(asked).toEqual([SCRIPT]);
    expect(updates).toEqual(expect.arrayContaining(["tool_call_update", "agent_message_chunk"]));
    expect(result).toMatchObject({ verdict: "passed", delivery: "kept" });
    expect(result.changes).toEqual([{ path: "calculator/basics.py", kind: "changed" }]);
    expect(readFileSync(join(workspace, "calculator/basics.py"), "utf8")).toContain("a - b");
  },
  180_000,
);
