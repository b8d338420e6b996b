import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PLAIN_SERVER } from "../../src/surfaces/mcp/testing/servers.ts";
import { type Caller, type CallerAgent, openCaller } from "./testing/open-caller.ts";

const GREETER = {
  "extension.yaml": "id: greeter\nversion: 1.0.0\nname: Greeter\ndescription: Greets.\n",
  "commands.yaml": `commands:
  - name: greet
    description: Greets.
    actions:
      - name: person
        description: Says hello to somebody.
        runner: python.script
        script: hello.py
        arguments: [{ name: who, description: Whom to greet., required: true }]
        args: ["{{ who }}"]
      - name: loudly
        description: Says hello in a dangerous way.
        risk: high
        runner: python.script
        script: hello.py
        arguments: [{ name: who, description: Whom to greet., required: true }]
        args: ["{{ who }}"]
`,
  "hello.py": "import sys\nprint('Hello', sys.argv[1])\n",
  "docs/USAGE.md": "# Usage\n\nFor tests.\n",
};
const SANDBOX = ["execute_code", "session_exec", "session_rollback"];
let caller: Caller;
let directory: string;
let agent: CallerAgent;

beforeAll(async () => {
  caller = await openCaller();
  directory = mkdtempSync(join(tmpdir(), "drydock-tools-"));
  mkdirSync(join(directory, "greeter/docs"), { recursive: true });
  for (const [name, text] of Object.entries(GREETER)) writeFileSync(join(directory, "greeter", name), text);
  await caller.dock.extensions.add(join(directory, "greeter"), { approve: async () => true });
  mkdirSync(join(directory, "server"));
  writeFileSync(join(directory, "server/plain.py"), PLAIN_SERVER);
  agent = await caller.addAgent({
    grants: {
      tools: [...SANDBOX, "greet__person", "greet__loudly", "plain__add", "plain__fail", "plain__long", "gone"],
    },
    mcpServers: [{ name: "plain", command: ["python3", "plain.py"], workspace: join(directory, "server") }],
  });
});

afterAll(async () => {
  await caller.close();
  rmSync(directory, { recursive: true, force: true });
});

const use = (tool_name: string, parameters: object = {}) => ["call_tool", { tool_name, parameters }] as const;
const childrenOf = async (runId: string) => {
  const { runs } = await caller.dock.runs.list({ limit: 100 });
  const parts = await Promise.all(
    runs.map(async (run) => ({ run, created: (await caller.dock.runs.events(run.id))[0] })),
  );
  return parts.filter(({ created }) => created?.data.parentRunId === runId).map(({ run }) => run);
};

describe("a tool that is granted", () => {
  it("of the sandbox runs code; the session keeps its variables, and each call is a run below the runner's", async () => {
    const { answers, runId } = await agent.ask({
      calls: [
        use("execute_code", { language: "python", code: "print(6 * 7)" }),
        use("session_exec", { code: "x = 20" }),
        use("session_exec", { code: "x + 1" }),
        use("session_rollback"),
        use("execute_code", { language: "bash", code: "exit 3" }),
      ],
    });
    expect(answers[0]).toMatchObject({ result: { failed: false, text: expect.stringContaining("42") } });
    expect(answers[2]).toMatchObject({ result: { failed: false, text: expect.stringContaining("21") } });
    expect(answers[3]).toMatchObject({ result: { text: expect.stringContaining("after step 1") } });
    expect(answers[4]).toMatchObject({ result: { failed: true, text: expect.stringContaining("code.exit") } });
    const ids = answers.flatMap(({ result }) => Object(result).run_id ?? []);
    expect(ids).toHaveLength(4);
    expect((await childrenOf(runId)).map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(caller.dock.sessions.list()).toEqual([]);
    const calls = (await caller.dock.runs.events(runId)).filter(({ type }) => type === "host.called");
    expect(calls.map(({ data }) => [data.method, data.resource, data.ok])).toEqual(
      ["execute_code", "session_exec", "session_exec", "session_rollback", "execute_code"].map((name) => [
        "call_tool",
        name,
        true,
      ]),
    );
  });

  it("of an extension is called as if a person had typed it; a risky one waits for somebody's approval", async () => {
    const { answers } = await agent.ask({
      calls: [use("greet__person", { who: "Ann" }), use("greet__loudly", { who: "Ann" })],
    });
    expect(answers[0]).toMatchObject({ result: { failed: false, text: expect.stringContaining("Hello Ann") } });
    expect(answers[1]).toMatchObject({ result: { failed: true, text: expect.stringContaining("approval") } });
    const [pending] = await caller.dock.extensions.approvals.list({ status: "pending" });
    expect(pending).toMatchObject({ extension: "greeter", action: "loudly" });
    await caller.dock.extensions.approvals.deny(pending?.id ?? "");
  });

  it("of an MCP server starts the server for the run, bounds its words, and ends with the run", async () => {
    const { answers, runId } = await agent.ask({
      calls: [
        ["get_tool_detail", { tool_name: "plain__add" }],
        use("plain__add", { a: 2, b: 3 }),
        use("plain__add", { a: "two" }),
        use("plain__fail"),
        use("plain__long"),
      ],
    });
    expect(answers[0]).toMatchObject({ description: expect.stringContaining("Adds two numbers") });
    expect(answers[1]).toMatchObject({ result: { text: "5", failed: false } });
    expect(answers[2]).toMatchObject({ error: { code: "invalid_argument" } });
    expect(answers[3]).toMatchObject({ result: { text: expect.stringContaining("did not work"), failed: true } });
    expect(Object(answers[4]?.result).text.length).toBeLessThanOrEqual(60_000);
    expect((await childrenOf(runId)).map(({ kind, status }) => [kind, status])).toEqual([["exec", "succeeded"]]);
  });

  it("has its arguments checked before anything runs", async () => {
    const { answers, runId } = await agent.ask({
      calls: [
        use("execute_code", { language: "cobol", code: "x" }),
        use("execute_code", { language: "python", code: "1", more: true }),
        use("greet__person", { whom: "Ann" }),
        use("gone"),
      ],
    });
    const codes = answers.map(({ error }) => Object(error).code);
    expect(codes).toEqual(["invalid_argument", "invalid_argument", "invalid_argument", "not_found"]);
    expect(await childrenOf(runId)).toEqual([]);
  });
});

describe("a tool that is not granted", () => {
  it("is refused and recorded: by the agent, by the manifest's permissions, by its capabilities", async () => {
    const calls = [["get_tool_detail", { tool_name: "execute_code" }], use("execute_code"), use("plain__add")] as const;
    const ungranted = await caller.addAgent({});
    const reader = await caller.addAgent({ runner: "plugin:test/caller/reader", grants: { tools: ["execute_code"] } });
    const incapable = await caller.addAgent({
      runner: "plugin:test/caller/nothing",
      grants: { tools: ["execute_code"] },
    });
    for (const [who, expected] of [
      [ungranted, ["unauthorized", "unauthorized", "unauthorized"]],
      [reader, [undefined, "unauthorized", "unauthorized"]],
      [incapable, ["unauthorized", "unauthorized", "unauthorized"]],
    ] as const) {
      const { answers, runId } = await who.ask({ calls });
      expect(answers.map(({ error }) => Object(error).code)).toEqual(expected);
      const recorded = (await caller.dock.runs.events(runId)).filter(({ type }) => type === "host.called");
      expect(recorded.map(({ data }) => data.code)).toEqual(expected);
      expect(await childrenOf(runId)).toEqual([]);
    }
  });

  it("can't be reached by a name that only looks like one of the agent's servers", async () => {
    const { answers } = await agent.ask({ calls: [use("plain__write"), use("plain__add/../write")] });
    expect(answers.map(({ error }) => Object(error).code)).toEqual(["unauthorized", "unauthorized"]);
  });
});

describe("the owner's policy", () => {
  it("holds for tools", async () => {
    const policy = join(caller.home, "policy.yaml");
    writeFileSync(policy, "mcp: { allow: [] }\n");
    const { answers } = await agent.ask({ calls: [use("plain__add", { a: 1, b: 2 })] });
    expect(answers[0]).toMatchObject({ error: { code: "unauthorized", details: { code: "policy.command_denied" } } });
    rmSync(policy);
  });
});

const SLEEP = use("execute_code", { language: "python", code: "import time; time.sleep(60)" });

describe("a long command", () => {
  const startLong = async (message: object) => {
    const started = Promise.withResolvers<string>();
    const conversation = { conversation_id: "long" };
    const running = agent.send(message, { onStarted: started.resolve }, { conversation });
    const runId = await started.promise;
    await expect
      .poll(async () => (await childrenOf(runId)).map(({ status }) => status), { timeout: 30_000 })
      .toEqual(["running"]);
    return { running, runId, conversation };
  };

  it("is stopped by a message that can't wait, and the run goes on with it", async () => {
    const { running, runId, conversation } = await startLong({ calls: [SLEEP], pull: true });
    expect(await agent.send("calm down", {}, { conversation, preempt: true })).toMatchObject({
      kind: "absorbed",
      runId,
    });
    const sent = await running;
    if (sent.kind !== "answered") throw new Error();
    const { answers, steered } = JSON.parse(sent.text);
    expect(answers[0]).toMatchObject({
      error: { code: "runtime_error", retryable: true, details: { reason: "preempted" } },
    });
    expect(steered).toEqual(["calm down"]);
    const events = await caller.dock.runs.events(runId);
    expect(events.find(({ type }) => type === "steering.preempted")?.data).toMatchObject({
      commands: ["execute_code"],
    });
    expect(events.at(-1)?.type).toBe("run.succeeded");
    await expect.poll(async () => (await childrenOf(runId))[0]?.status).toBe("cancelled");
  });

  it("is left alone by an ordinary message", async () => {
    const { running, runId, conversation } = await startLong({
      calls: [use("execute_code", { language: "python", code: "import time; time.sleep(1.5); print('whole')" })],
      pull: true,
    });
    await agent.send("by the way", {}, { conversation });
    expect(await running).toMatchObject({ ok: true, text: expect.stringContaining("whole") });
    expect((await caller.dock.runs.events(runId)).map(({ type }) => type)).not.toContain("steering.preempted");
  });

  it("ends when its run is cancelled", async () => {
    const { running, runId } = await startLong({ calls: [SLEEP] });
    await caller.dock.runs.cancel(runId);
    expect(await running).toMatchObject({ ok: false, error: { code: "run.cancelled" } });
    await expect.poll(async () => (await childrenOf(runId))[0]?.status).toBe("cancelled");
  });
});
