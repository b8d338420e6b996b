import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Caller, type CallerAgent, openCaller } from "../host/testing/open-caller.ts";

let caller: Caller;
let agent: CallerAgent;
const home = mkdtempSync(join(tmpdir(), "drydock-box-policy-"));
const setPolicy = (text: string) => writeFileSync(join(home, "policy.yaml"), `version: 1\n${text}`);

beforeAll(async () => {
  setPolicy("");
  caller = await openCaller({ home });
  agent = await caller.addAgent({ grants: { tools: ["exec", "read"] }, box: { scope: "{conversation}" } });
});
afterAll(async () => {
  await caller.close();
  rmSync(home, { recursive: true, force: true });
});

async function use(conversation_id: string, parameters: object, tool_name = "exec"): Promise<string> {
  const event = { conversation: { conversation_id, bot_id: agent.bot } };
  const { answers } = await agent.ask({ calls: [["call_tool", { tool_name, parameters }]] }, {}, event);
  return String((answers[0]?.result as { text?: string })?.text ?? JSON.stringify(answers[0]));
}
const boxOf = async (scope: string) => (await caller.dock.boxes.list()).find((box) => box.scope === scope);

it("a list of commands holds for bash, and leaves no way round it: not Python, not a terminal", async () => {
  setPolicy("commands: { allow: [echo] }\n");
  expect(await use("listed", { code: "echo fine" })).toBe("fine");
  expect(await use("listed", { code: "echo a; ls" })).toContain("does not allow the command ls");
  expect(await use("listed", { code: "1", language: "python" })).toContain("lists the commands");
  const size = { columns: 80, rows: 24 };
  const terminal = caller.dock.boxes.openTerminal((await boxOf("listed"))?.id ?? "", {
    ...size,
    onData: async () => {},
    onEnd: () => {},
  });
  await expect(terminal).rejects.toMatchObject({ code: "policy.command_denied" });
});

it("Python is refused where the policy wants its guard, and without access to files there is no box", async () => {
  setPolicy("python: { guard: { default: strict, max: strict } }\n");
  expect(await use("guarded", { code: "1", language: "python" })).toContain("python.guard: strict");
  expect(await use("guarded", { code: "echo fine" })).toBe("fine");
  setPolicy("files: { access: false }\n");
  expect(await use("closed", { code: "echo fine" })).toContain("files.access: false");
});

it("a box has no network, and no variable of the host, unless they are granted", async () => {
  setPolicy("");
  process.env.BOX_TEST_SECRET = "hidden-value";
  expect(await use("bare", { code: "env; cat /proc/net/route | wc -l" })).not.toContain("hidden-value");
  expect(await use("bare", { code: "echo > /dev/tcp/192.0.2.1/80" })).toMatch(/unreachable|refused|denied/i);
  delete process.env.BOX_TEST_SECRET;
});

it("a box that nobody uses ends by itself, and its files are there in the next one", async () => {
  setPolicy("sessions: { idleSeconds: 1 }\n");
  await use("idle", { code: "echo kept > a.txt" });
  expect(await boxOf("idle")).toBeDefined();
  await expect.poll(() => boxOf("idle"), { timeout: 8000 }).toBeUndefined();
  expect(await use("idle", { path: "a.txt" }, "read")).toBe("1\tkept");
});

it("no more boxes are open than the policy allows", async () => {
  setPolicy("sessions: { live: { default: 1, max: 1 } }\n");
  expect(await use("one-more", { code: "echo fine" })).toContain("boxes are open");
});
