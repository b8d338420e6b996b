import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openAcpKit } from "./testing/open-acp-agent.ts";

const { t, newAgent } = openAcpKit();

const refusal = (message: string) => expect.objectContaining({ message: expect.stringContaining(message) });

describe("an agent on this machine", () => {
  it("is off until the owner has agreed to exactly what it may do", async () => {
    const { name, say } = await newAgent({}, { isOff: true });
    const { agents } = t.dock.host;
    const off = await say("recall");
    expect(off).toMatchObject({ ok: false, error: { runnerCode: "acp-agent.config_invalid" } });
    expect(off.error?.message).toContain(`drydock agent enable ${name}`);
    expect((await t.dock.runs.list({ kind: "wrap" })).runs).toEqual([]);
    const plan = await agents.harness(name);
    expect(plan).toMatchObject({ enabled: false, permissions: "ask", deliver: "keep", hosts: [], skills: [] });
    await expect(agents.enable(name, { hash: "another" })).rejects.toThrow(/has changed since it was shown/);
    expect(await agents.enable(name, { hash: plan.hash })).toMatchObject({ enabled: true });
    expect((await say("recall")).ok).toBe(true);
    await agents.change(name, { config: { ...(await agents.find(name)).config, permissions: "allow" } });
    expect(await agents.harness(name)).toMatchObject({ enabled: false });
    expect((await say("recall")).ok).toBe(false);
    await agents.enable(name);
    await agents.disable(name);
    expect((await say("recall")).ok).toBe(false);
  });

  it("of another id does not inherit the consent of its name", async () => {
    const { name } = await newAgent();
    const { agents } = t.dock.host;
    const { config, runner } = await agents.remove(name);
    await agents.add({ name, runner, config });
    expect(await agents.harness(name)).toMatchObject({ enabled: false });
  });

  it("finds its skills read-only; one that changes switches it off", async () => {
    const skill = join(t.directory, "greeting");
    mkdirSync(skill, { recursive: true });
    writeFileSync(join(skill, "SKILL.md"), "---\nname: greeting\nversion: 1.2.0\n---\nSay hello.\n");
    const { name, say, workspace } = await newAgent({ skills: [skill] });
    const plan = await t.dock.host.agents.harness(name);
    expect(plan.skills).toMatchObject([
      { name: "greeting", version: "1.2.0", sha256: expect.stringMatching(/^\w{64}$/) },
    ]);
    const seen = await say("shell cat /opt/skills/greeting/SKILL.md > seen.txt; touch /opt/skills/greeting/x || true");
    expect(seen.text).toContain("[1 path changed");
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("a\n");
    appendFileSync(join(skill, "SKILL.md"), "And goodbye.\n");
    expect((await say("recall")).error?.message).toContain("is off");
    symlinkSync("/etc/passwd", join(skill, "link"));
    await expect(t.dock.host.agents.harness(name)).rejects.toThrow(/is a link/);
  });

  it("delivers what passes its checks, where the owner agreed to that", async () => {
    const config = { deliver: "if-passed", checks: ["grep -q better a.txt"] };
    const { say, workspace } = await newAgent(config);
    expect((await say("shell echo worse > a.txt")).text).toContain("verdict failed, kept");
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("a\n");
    expect((await say("shell echo better > a.txt")).text).toContain("verdict passed, applied]");
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("better\n");
  });

  it("has no consent to give where its runner starts nothing", async () => {
    await t.dock.host.agents.add({ name: "quiet", runner: "local-agent" });
    await expect(t.dock.host.agents.enable("quiet")).rejects.toThrow(/needs no consent/);
  });
});

describe("settings", () => {
  it.each([
    [{ command: [] }, "command"],
    [{ command: ["agent", "--yolo"] }, "--yolo changes how the agent asks"],
    [{ command: ["agent", "--permission-mode=bypassPermissions"] }, "--permission-mode=bypassPermissions changes"],
    [{ command: ["bash", "-c", "agent --dangerously-skip-permissions"] }, "--dangerously-skip-permissions changes"],
    [{ command: ["agent", "--output-format", "json"] }, "--output-format changes"],
    [{ environment: ["PATH=/evil"] }, "PATH is set by the sandbox"],
    [{ environment: ["HOME"] }, "HOME is set by the sandbox"],
    [{ environment: ["LD_PRELOAD=/x.so"] }, "LD_PRELOAD is set by the sandbox"],
    [{ environment: ["DRYDOCK_HOME=/x"] }, "DRYDOCK_HOME is set by the sandbox"],
    [{ environment: ["https_proxy=http://x"] }, "https_proxy is set by the sandbox"],
    [{ environment: ["API_KEY=abc"] }, "API_KEY looks like a secret"],
    [{ permissions: "always" }, "permissions"],
  ])("are refused: %j", async (config, message) => {
    await expect(newAgent(config)).rejects.toEqual(refusal(message));
  });

  it("name a directory that is nobody's home, no part of the system, and no link", async () => {
    const link = join(t.directory, "link");
    symlinkSync(t.makeWorkspace({}), link);
    for (const [directory, reason] of [
      ["relative/path", "the path is not absolute"],
      ["/", "belongs to the system"],
      ["/etc", "belongs to the system"],
      [homedir(), "belongs to the system or is a home"],
      [link, "it is not a directory"],
      [join(t.directory, "missing"), "it is not a directory"],
      [`${t.directory}/../..`, "it leads to"],
    ] as const) {
      const { name } = await newAgent({ directory }, { isOff: true });
      await expect(t.dock.host.agents.enable(name)).rejects.toEqual(refusal(reason));
    }
  });
});
