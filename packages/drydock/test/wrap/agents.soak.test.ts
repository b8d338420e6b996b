import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openTestDock } from "../testing/test-dock.ts";
import { agentPath, geminiVariables, installAgents, opencodeSettings, ROOT } from "./testing/published-agents.ts";
import { openScriptedProvider } from "./testing/scripted-provider.ts";

const test = openTestDock({ policy: 'version: 1\nnetwork:\n  allow: { default: [], max: ["localhost:*"] }\n' });

const FIX = "sed -i 's/a - b/a + b/' calculator/basics.py";
const BREAK = "sed -i 's/a - b/a * b/' calculator/basics.py";
const CHECKS = ["python3 -m pytest -q"];

interface Agent {
  name: string;
  command(port: number): string[];
  environment(port: number): string[];
  /** Files of the workspace that are its settings. */
  files?: Record<string, string>;
}

const AGENTS: Agent[] = [
  {
    name: "codex",
    command: (port) => {
      const provider = `model_providers.local={name="local",base_url="http://localhost:${port}/v1",wire_api="responses",env_key="KEY"}`;
      const settings = ["-c", provider, "-c", 'model_provider="local"', "-m", "scripted"];
      // The sandbox around it is ours.
      const free = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
      return [agentPath("codex"), "exec", ...free, ...settings, "Fix add() so that the tests pass"];
    },
    environment: () => ["KEY=none"],
  },
  {
    name: "opencode",
    command: () => [agentPath("opencode"), "run", "-m", "local/scripted", "Fix add() so that the tests pass"],
    environment: (port) => [opencodeSettings(port, "allow")],
  },
  {
    name: "gemini",
    command: () => [agentPath("gemini"), "--yolo", "-m", "scripted", "-p", "Fix add() so that the tests pass"],
    environment: geminiVariables,
    // With a base URL of its own it takes the kind of key from its settings only.
    files: {
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
      }),
    },
  },
];

function makeWorkspace({ files = {} }: Pick<Agent, "files">): string {
  const workspace = test.makeWorkspace(files);
  cpSync(join(ROOT, "demo", "python-bugfix"), workspace, { recursive: true });
  return workspace;
}

async function run(agent: Agent, workspace: string, script: string) {
  await using provider = await openScriptedProvider(script);
  const { port } = provider;
  const outputs: string[] = [];
  const result = await test.dock.wraps.run({
    command: agent.command(port),
    environment: agent.environment(port),
    workspace,
    policy: { network: { allow: [`localhost:${port}`] } },
    checks: CHECKS,
    stdin: "",
    onOutput: ({ text }) => outputs.push(text),
    decide: async ({ verdict }) => (verdict === "passed" ? "apply" : "keep"),
  });
  return { result, output: outputs.join(""), asked: provider.asked };
}

/** Published coding agents against a scripted provider: what they do is theirs, what the model says is a script. */
describe("a published coding agent in a wrap", () => {
  beforeAll(installAgents, 600_000);

  it.each(AGENTS)("$name edits a file by a command, and that is delivered after the checks passed", async (agent) => {
    const workspace = makeWorkspace(agent);
    const { result, output, asked } = await run(agent, workspace, FIX);
    expect(asked.length, output).toBeGreaterThan(1);
    expect(result).toMatchObject({ exitCode: 0, verdict: "passed", delivery: "applied" });
    expect(result.network.connected.map(({ host }) => host)).toContain("localhost");
    expect(readFileSync(join(workspace, "calculator/basics.py"), "utf8")).toContain("a + b");
  });

  it.each(AGENTS)("$name that breaks something changes nothing outside", async (agent) => {
    const workspace = makeWorkspace(agent);
    const { result } = await run(agent, workspace, BREAK);
    expect(result).toMatchObject({ exitCode: 0, verdict: "failed", delivery: "kept" });
    expect(readFileSync(join(workspace, "calculator/basics.py"), "utf8")).toContain("a - b");
  });

  it("keeps its home from one run to the next, and out of the user's", async () => {
    const [codex] = AGENTS as [Agent];
    await run(codex, makeWorkspace(codex), FIX);
    expect(existsSync(join(test.home, "wraps", "homes", "codex", ".codex"))).toBe(true);
  });
});
