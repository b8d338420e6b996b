import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDock } from "drydock";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startProviderServer } from "../../src/models/testing/provider-server.ts";
import { openGoalDock } from "../testing/goal-dock.ts";
import { FILES, UNITTEST } from "./add-project.ts";

const KEY = "a-key-that-nobody-may-see-0123456789";
const PLAN = {
  goal: "mend add",
  tasks: [
    {
      id: "fix",
      title: "Mend add",
      instructions: "Mend it.",
      dependsOn: [],
      scope: ["add.py"],
      checks: [{ type: "command", cmd: UNITTEST }],
      attempts: 2,
    },
  ],
};
const call = (name: string, input: object) => ({ toolCalls: [{ name, input: JSON.stringify(input) }] });
const EDIT = call("edit", { path: "add.py", old: "a - b", new: "a + b" });

describe.each(["openai", "anthropic", "openai-compatible"] as const)("over the wire of %s", (api) => {
  async function open(retries = 3) {
    const server = await startProviderServer();
    onTestFinished(() => server.close());
    const t = await openGoalDock(FILES);
    vi.stubEnv("LOCAL_KEY", KEY);
    onTestFinished(() => void vi.unstubAllEnvs());
    const models = {
      providers: { local: { baseUrl: server.baseUrl, api, keyVariable: "LOCAL_KEY" } },
      retries,
      idleSeconds: 1,
    };
    mkdirSync(t.home, { recursive: true });
    writeFileSync(join(t.home, "config.yaml"), JSON.stringify({ models }));
    const dock = await createDock({ home: t.home, warm: 1 });
    onTestFinished(() => dock.close());
    const heard: string[] = [];
    const run = () =>
      dock.goals.run({
        goal: "Fix add()",
        workspace: t.workspace,
        model: "local/some-model",
        onProgress: (progress) => {
          if (progress.kind === "text") heard.push(progress.text);
        },
        onEvent: (event) => t.events.push(event),
      });
    return { server, t, run, heard, dock };
  }

  it("a goal is planned, worked on with tools, streamed and proved, and the key stays where it was", async () => {
    const { server, t, run, heard, dock } = await open();
    server.queue(
      { text: JSON.stringify(PLAN) },
      call("read", { path: "add.py" }),
      EDIT,
      call("run", { cmd: `env; ${UNITTEST}` }),
      {
        text: "Mended the sign.",
      },
    );
    const result = await run();
    expect(result.verdict).toBe("passed");
    expect(heard.join("")).toContain("Mended the sign.");
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(KEY);
    const [page, events] = [await dock.runs.report(result.runId), await dock.runs.events(result.runId)];
    expect(page + JSON.stringify(events)).not.toContain(KEY);
    expect(readFileSync(join(t.home, "ledger.db"), "latin1")).not.toContain(KEY);
  });

  it("faults in passing are outlived: too many requests, an error, a cut stream, a malformed call, no JSON", async () => {
    const { server, run } = await open();
    server.queue(
      { status: 429, headers: { "retry-after": "0" } },
      { text: "This is no JSON at all." },
      { text: JSON.stringify(PLAN) },
      { status: 500 },
      { text: "Half of this is lost on the way to you.", midway: "break" },
      { toolCalls: [{ name: "edit", input: '{"path": "add.py", "old": ' }] },
      EDIT,
      { text: "Done." },
    );
    expect((await run()).verdict).toBe("passed");
  });

  it("a connection that hangs ends in an attempt that failed, not in a run that waits", async () => {
    const { server, t, run } = await open(0);
    server.queue({ text: JSON.stringify(PLAN) }, { hang: true }, EDIT, { text: "Done." });
    expect((await run()).verdict).toBe("passed");
    expect(t.data("model.failed")).toHaveLength(1);
    expect(t.data("rework.requested")).toMatchObject([{ request: { failed: [{ code: "model_failed" }] } }]);
  });
});
