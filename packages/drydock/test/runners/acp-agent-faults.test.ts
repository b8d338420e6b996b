import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openAcpKit } from "./testing/open-acp-agent.ts";

const { t, newAgent } = openAcpKit();

/** The command lines of all processes of this machine. */
function listCommands(): string[] {
  return globSync("/proc/[0-9]*/cmdline").map((path) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  });
}

describe("an agent that misbehaves", () => {
  it("and dies in the middle of a turn fails the run; the next turn has its files and its session", async () => {
    const { say } = await newAgent();
    await say("shell echo kept > kept.txt");
    const sent = await say("die");
    expect(sent).toMatchObject({ ok: false, error: { code: "runner.failed", retryable: true } });
    expect(sent.error?.message).toContain("it ended with status 3, and wrote: out of ideas");
    expect((await say("shell test -e kept.txt")).ok).toBe(true);
    expect((await say("recall")).text).toContain("ses-1: shell echo kept > kept.txt, die, shell test");
  });

  it("and prints megabytes a second is read to its end", async () => {
    const { say, deltas } = await newAgent();
    const sent = await say("flood 40");
    expect(sent.error).toBeNull();
    expect(deltas.join("").length).toBe(4_000_000);
  });

  it("is cancelled with its turn, and at the deadline; no process of it is left", async () => {
    const { say, wrapOf } = await newAgent();
    const seconds = `36${process.pid}.25`;
    expect((await say(`leave ${seconds}`)).text).toBe("left");
    expect(listCommands()).not.toContain(`sleep\0${seconds}\0`);
    const cancel = new AbortController();
    const cancelled = say("wait", "c", { signal: cancel.signal, onDelta: () => cancel.abort() });
    expect((await cancelled).error).toMatchObject({ code: "run.cancelled" });
    const wrap = await t.dock.runs.get(await wrapOf(await cancelled));
    expect(wrap.endedAt).not.toBeNull();
    const late = await newAgent({}, { timeoutSeconds: 2 });
    expect((await late.say("wait")).error).toMatchObject({ code: "runner.timeout" });
  });

  it("that can't go on from its changes says so, and begins anew when they are discarded", async () => {
    const { say, workspace, wrapOf } = await newAgent();
    const first = await say("shell echo inside > a.txt");
    writeFileSync(join(workspace, "a.txt"), "outside\n");
    const second = await say("recall");
    expect(second).toMatchObject({ ok: false, error: { runnerCode: "acp-agent.api_error" } });
    expect(second.error?.message).toContain("don't fit the workspace any more: a.txt");
    await t.dock.runs.discard(await wrapOf(first));
    expect(await say("recall")).toMatchObject({ ok: true, text: expect.stringContaining("ses-1: shell echo inside") });
  });

  it("whose program is not there says so", async () => {
    const { say } = await newAgent({ command: ["no-such-agent"] });
    const { error } = await say("hello");
    expect(error).toMatchObject({ code: "runner.failed", runnerCode: "acp-agent.api_error" });
  });

  it("takes its turn: one at a time for a directory, whatever the conversation", async () => {
    const { say, wrapOf } = await newAgent();
    const sent = await Promise.all([say("stream a b c", "one"), say("stream d e f", "two")]);
    const wraps = await Promise.all(sent.map(async (each) => t.dock.runs.get(await wrapOf(each))));
    const [first, second] = wraps.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    expect((second?.createdAt ?? "") >= (first?.endedAt ?? "never")).toBe(true);
  });
});
