import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openAcpKit } from "./testing/open-acp-agent.ts";

const { t, newAgent } = openAcpKit();
const approvals = () => t.dock.extensions.approvals;

async function nextApproval() {
  for (let tries = 0; tries < 200; tries += 1) {
    const [found] = await approvals().list({ status: "pending" });
    if (found) return found;
    await sleep(50);
  }
  throw new Error("nobody asked for an approval");
}

describe("an agent behind acp-agent", () => {
  it("streams its words, and tells of its tools", async () => {
    const { say, deltas } = await newAgent();
    const steps: string[] = [];
    const onStep = ({ type }: { type: string }) => void steps.push(type);
    expect(await say("stream one two three", "c", { onStep })).toMatchObject({ ok: true, text: "onetwothree" });
    expect(deltas.length).toBeGreaterThan(1);
    const { runId } = await say("tool", "c", { onStep });
    expect(steps).toEqual(expect.arrayContaining(["tool.call.started", "tool.call.completed"]));
    const reported = (await t.dock.runs.events(runId)).filter(({ type }) => type === "tool.reported");
    expect(reported.map(({ data }) => [data.tool_name, data.parameters ?? data.result])).toEqual([
      ["look", { at: "a" }],
      ["look", '{"seen":1}'],
    ]);
  });

  it("works on a layer that goes on with the next turn, and nothing but a delivery changes the directory", async () => {
    const { say, workspace, wrapOf } = await newAgent();
    const first = await say("shell echo more >> a.txt");
    expect(first.text).toMatch(/^done\n\n\[1 path changed, verdict unverified, kept: drydock runs diff run_/);
    const second = await say("shell cp a.txt b.txt; echo again >> a.txt");
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("a\n");
    const diff = await t.dock.runs.diff(await wrapOf(second));
    expect(diff).toContain("+again");
    await t.dock.runs.apply(await wrapOf(second), { allowUnproven: true });
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("a\nmore\nagain\n");
    expect((await say("shell cat a.txt > c.txt")).text).toContain("[1 path changed");
  });

  it.each(["--resume", "--load"])("goes on in its session after a restart of the host (%s)", async (mode) => {
    const { say, deltas } = await newAgent({ command: ["node", "agent.mjs", mode] });
    await say("remember me");
    await t.reopen();
    deltas.length = 0;
    expect(await say("recall")).toMatchObject({ text: "ses-1: remember me, recall" });
    // What the agent repeats while it loads a session is not said again.
    expect(deltas.join("")).not.toContain("said before");
    expect(await say("recall", "another")).toMatchObject({ text: "ses-2: recall" });
  });

  it("that can't go on with a session begins a new one", async () => {
    const { say } = await newAgent({ command: ["node", "agent.mjs"] });
    await say("first");
    expect(await say("recall")).toMatchObject({ text: "ses-2: recall" });
  });

  it("reaches the host by MCP with the token of its run, which is in no argument, variable or record", async () => {
    const { say, wrapOf } = await newAgent();
    const looked = await say("look");
    expect(looked.text).not.toMatch(/Bearer/);
    const asked = await say("mcp own");
    expect(asked.text).toMatch(/^200 /);
    expect(asked.text).toContain('\\"event_type\\":\\"message.received\\"');
    expect((await say("mcp another")).text).toContain("The token belongs to another run than the call names.");
    expect((await say("mcp own Bearer-forged")).text).toMatch(/^401 /);
    const events = [...(await t.dock.runs.events(asked.runId)), ...(await t.dock.runs.events(await wrapOf(asked)))];
    expect(JSON.stringify(events)).not.toMatch(/Bearer [\w-]{20}/);
    expect(events.map(({ data }) => data.method)).toContain("get_current_event");
  });
});

describe("a permission", () => {
  it("that the policy denies is denied at once, and on record", async () => {
    const { say, wrapOf } = await newAgent();
    const sent = await say("edit locked.txt");
    expect(sent.text).toBe("no");
    const { permissions } = await t.dock.runs.findings(await wrapOf(sent));
    const reason = "the policy does not let it change locked.txt";
    expect(permissions).toMatchObject([{ decision: "denied", by: "policy", reason, paths: ["/work/locked.txt"] }]);
    expect(await approvals().list({ status: "pending" })).toEqual([]);
  });

  it("waits for a person, who grants or denies it", async () => {
    const { say, wrapOf, name } = await newAgent();
    const granted = say("edit a.txt");
    const approval = await nextApproval();
    expect(approval).toMatchObject({ action: "agent.permission", requestedBy: name, risk: "high" });
    expect(approval.summary).toContain("/work/a.txt");
    await approvals().approve(approval.id, { by: "ann" });
    expect((await granted).text).toMatch(/^yes\n\n\[1 path changed/);
    expect((await t.dock.runs.findings(await wrapOf(await granted))).permissions).toMatchObject([
      { decision: "allowed", by: "person", reason: "approved by ann" },
    ]);
    const denied = say("edit a.txt", "another");
    await approvals().deny((await nextApproval()).id, { by: "bob", reason: "not now" });
    expect((await denied).text).toBe("no");
    expect((await t.dock.runs.findings(await wrapOf(await denied))).permissions).toMatchObject([
      { decision: "denied", by: "person", reason: "denied by bob: not now" },
    ]);
  });

  it.each([
    ["deny", "no", "denied"],
    ["allow", "yes", "allowed"],
  ])("is answered by the settings where they say %s", async (permissions, text, decision) => {
    const { say, wrapOf } = await newAgent({ permissions });
    const sent = await say("edit a.txt");
    expect(sent.text.split("\n")[0]).toBe(text);
    expect((await t.dock.runs.findings(await wrapOf(sent))).permissions).toMatchObject([{ decision, by: "settings" }]);
  });

  it("of an agent that goes away is withdrawn", async () => {
    const { say, wrapOf } = await newAgent();
    const sent = await say("ask-and-die");
    expect(sent).toMatchObject({ ok: false, error: { runnerCode: "acp-agent.api_error" } });
    expect(sent.error?.message).toContain("it ended with status 4");
    expect(await approvals().list({ status: "pending" })).toEqual([]);
    expect((await t.dock.runs.findings(await wrapOf(sent))).permissions).toMatchObject([
      { decision: "unanswered", by: "nobody" },
    ]);
  });
});
